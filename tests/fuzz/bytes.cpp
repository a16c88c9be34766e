#include "bytes.h"

namespace loom::fuzz {

AttentionOptions OptionsFrom(Bytes& bytes) {
  AttentionOptions o;
  const auto mask = [&](int& rank, int& entries, int& heads, int& rows) {
    constexpr int kRanks[] = {0, 0, 2, 3, 4, 5};
    rank = bytes.Whole(0, 1) == 0 ? 0 : kRanks[bytes.Whole(1, 4)];
    if (rank == 0) return;
    entries = bytes.Bit() ? 1 : o.Entries();
    heads = bytes.Bit() ? 1 : o.heads;
    rows = bytes.Bit() ? 1 : o.n_q;
  };
  o.project = bytes.Bit();
  o.crossed = o.project && bytes.Bit();
  o.batch = bytes.Whole(0, 4) > 2 ? bytes.Whole(1, 2) : 0;
  o.n_q = bytes.Whole(0, 9);
  o.n_new = o.project && !o.crossed ? o.n_q : bytes.Whole(0, 9);
  o.n_past = bytes.Bit() ? bytes.Whole(0, 5) : 0;
  const std::uint8_t extras = bytes.Byte();
  o.extra_key = extras % 5 == 1;
  o.zero_key = extras % 7 == 1;
  o.kv_heads = bytes.Whole(1, 2);
  o.heads = o.kv_heads * bytes.Whole(1, 2);
  o.d_k = bytes.Whole(0, 6);
  o.d_v = bytes.Whole(0, 6);
  o.d_model = bytes.Whole(0, 6);
  o.d_kv = bytes.Whole(0, 6);
  o.heads_first = !o.project && bytes.Bit();
  const std::uint8_t biases = bytes.Byte();
  o.bias_q = (biases & 1) != 0;
  o.bias_k = (biases & 2) != 0;
  o.bias_v = (biases & 4) != 0;
  o.bias_o = (biases & 8) != 0;
  o.bias_1 = (biases & 16) != 0;
  o.bias_2 = (biases & 32) != 0;
  o.gates = (biases & 64) != 0;
  mask(o.allow_rank, o.allow_batch, o.allow_heads, o.allow_rows);
  mask(o.add_rank, o.add_batch, o.add_heads, o.add_rows);
  const std::uint8_t sight = bytes.Byte();
  o.causal = (sight & 1) != 0;
  o.offset = bytes.Whole(-4, 4);
  o.key_counts = (sight & 2) != 0;
  o.offset_from_count = o.key_counts && (sight & 4) != 0;
  o.window = (sight & 8) != 0;
  o.before = bytes.Whole(0, 4);
  o.after = bytes.Whole(0, 4);
  o.block_size = (sight & 16) != 0 ? bytes.Whole(0, 4) : 0;
  o.global = (sight & 32) != 0;
  o.random_count = (sight & 64) != 0 ? bytes.Whole(0, 3) : 0;
  o.random_seed = bytes.Byte();
  o.alibi = static_cast<Alibi>((sight & 128) != 0 ? bytes.Whole(0, 2) : 0);
  o.rotary = static_cast<Rotary>(bytes.Whole(0, 2));
  o.rotary_width = bytes.Bit() ? o.d_k / 2 * 2 : bytes.Whole(0, 6);
  o.rotary_offset = bytes.Whole(0, 5);
  o.cap = bytes.Bit() ? bytes.Number() : 0;
  o.default_scale = bytes.Bit();
  o.scale = bytes.Number();
  constexpr float kTemperatures[] = {1, 1, 0, 0.5f, 2, 1e-30f, 1e30f, -1};
  o.temperature = kTemperatures[bytes.Whole(0, 7)];
  // What stands around attention fits only if widths agree.
  if (o.project && bytes.Bit()) {
    o.project_out = bytes.Bit();
    o.d_out = bytes.Bit() ? o.d_model : bytes.Whole(0, 6);
    if (!o.project_out && bytes.Bit()) o.d_model = o.heads * o.d_v;
    o.positions = static_cast<Positions>(bytes.Whole(0, 2));
    o.positions_kv = static_cast<Positions>(o.crossed ? bytes.Whole(0, 2) : 0);
    o.norm = static_cast<Norm>(bytes.Whole(0, 2));
    o.norm_first = bytes.Bit();
    const std::uint8_t vectors = o.norm == Norm::kNone ? 0 : bytes.Byte();
    o.gamma = (vectors & 1) != 0;
    o.beta = (vectors & 2) != 0 && o.norm == Norm::kLayer;
    o.gamma_2 = (vectors & 4) != 0;
    o.beta_2 = (vectors & 8) != 0 && o.norm == Norm::kLayer;
    o.residual = bytes.Bit();
    o.d_ff = bytes.Bit() ? bytes.Whole(0, 6) : 0;
    o.activation = static_cast<Activation>(bytes.Whole(0, 2));
  }
  const std::uint8_t shares = bytes.Byte();
  o.softmax = static_cast<Softmax>(shares % 4 == 3 ? 0 : shares % 4);
  o.shift = shares % 5 != 1;
  return o;
}

void Fill(Attention& attention, Bytes& bytes) {
  const Plan& plan = attention.plan();
  const AttentionOptions& o = plan.options();
  for (std::size_t s = 0; s < plan.count(); ++s) {
    const Recipe& recipe = plan.at(s);
    if (recipe.part_count == 0 || recipe.parts[0].operation != Operation::kInput) continue;
    const int entries = recipe.rank > 1 && recipe.HasAxis(Axis::kBatch) ? recipe.Size(Axis::kBatch) : 1;
    for (int entry = 0; entry < entries; ++entry) {
      const MutableView input = attention.Input(recipe.stage, std::size_t(entry));
      for (std::size_t i = 0; i < input.rows; ++i) {
        for (std::size_t j = 0; j < input.cols; ++j) {
          float number = 0;
          switch (recipe.stage) {
            case Stage::kAllow:
              number = bytes.Byte() % 4 == 1 ? 0.0f : 1.0f;
              break;
            case Stage::kGlobal:
              number = bytes.Byte() % 4 == 1 ? 1.0f : 0.0f;
              break;
            case Stage::kKeyCounts:
              number = float(bytes.Whole(0, o.Maskable()));
              break;
            case Stage::kAdd:
              number = bytes.Byte() % 8 == 1 ? -std::numeric_limits<float>::infinity() : bytes.Number();
              break;
            default:
              number = bytes.AnyNumber();
          }
          input(i, j) = number;
        }
      }
    }
  }
}

}  // namespace loom::fuzz
