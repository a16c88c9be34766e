// The same input on one vector target. The core is compiled once for each, in a namespace of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

struct TargetResult {
  int code = 0;  // of the refusal, 0: none
  int param = 0;
  bool finite = false;        // of the inputs
  bool twin_is_near = true;   // within the bound of float32, where all rows are right
  std::vector<float> output;  // traced
  std::vector<std::uint8_t> states;
};

using OneTarget = TargetResult (*)(const std::uint8_t* data, std::size_t size);
TargetResult RunEmu128(const std::uint8_t* data, std::size_t size);
TargetResult RunSse4(const std::uint8_t* data, std::size_t size);
TargetResult RunAvx2(const std::uint8_t* data, std::size_t size);
