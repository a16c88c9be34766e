"""Writes the golden cases beside this file: attention and softmax in double precision, every stage kept.

An own reading of the formulas: it shares no code with the core, its twin or the tests.
Run it with any Python 3 that has NumPy:  python3 tests/golden/make_golden.py [folder to write to]

Inputs are multiples of 1/32 (or exact powers of two where a case is about size), so float32 holds them exactly and the
core starts from the same numbers. Results are kept to 10 significant digits.

Tolerance for a float32 core: |got - want| <= 2e-6 * (1 + |want|). Scores stay below about 8 where they are not exact
in float32, so the shift before exp carries an error of a few 1e-7 and exp hands it on as a relative error; 2e-6 leaves
a factor of about three. Zeros and minus infinity are exact: a masked weight is 0, not small.
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = {
    "absolute": 2e-6,
    "relative": 2e-6,
    "reason": "float32 rounding of scores up to about 8, handed on by exp; zeros and -inf are exact",
}
NEGATIVE_INFINITY = -np.inf


# ---------------------------------------------------------------- the mathematics


def split_heads(matrix, heads):
    """[n, h*d] -> [h, n, d]: head number g owns columns g*d ... g*d + d - 1."""
    n, width = matrix.shape
    d = width // heads
    return np.stack([matrix[:, g * d : (g + 1) * d] for g in range(heads)]) if heads else matrix


def visible_pairs(heads, n_q, n_k, allow, add, causal):
    """True where query i may look at key j."""
    visible = np.ones((heads, n_q, n_k), dtype=bool)
    if allow is not None:
        visible &= np.broadcast_to(allow.astype(bool), visible.shape)
    if add is not None:
        visible &= np.broadcast_to(~np.isneginf(add), visible.shape)
    if causal is not None and causal is not False:
        if causal is True or causal == "start":
            offset = 0
        elif causal == "end":
            offset = n_k - n_q
        else:
            offset = causal["offset"]
        query = np.arange(n_q)[:, None]
        key = np.arange(n_k)[None, :]
        visible &= key <= query + offset
    return visible


def attention(queries, keys, values, scale=None, allow=None, add=None, causal=None, temperature=1.0):
    """queries [h, n_q, d_k], keys [h, n_k, d_k], values [h, n_k, d_v] -> every stage by name."""
    heads, n_q, d_k = queries.shape
    n_k = keys.shape[1]
    if scale is None:
        scale = 1.0 / np.sqrt(d_k) if d_k else 1.0
    stages = {}
    scores = np.zeros((heads, n_q, n_k))
    for g in range(heads):
        scores[g] = queries[g] @ keys[g].T
    stages["scores"] = scores
    stages["scaled"] = scores * scale
    before_softmax = stages["scaled"]
    if allow is not None or add is not None or causal not in (None, False):
        visible = visible_pairs(heads, n_q, n_k, allow, add, causal)
        shifted_scores = before_softmax + (np.where(np.isneginf(add), 0.0, add) if add is not None else 0.0)
        before_softmax = np.where(visible, shifted_scores, NEGATIVE_INFINITY)
        stages["masked"] = before_softmax

    rowmax = np.full((heads, n_q), NEGATIVE_INFINITY)
    shifted = np.full((heads, n_q, n_k), NEGATIVE_INFINITY)
    exponentials = np.zeros((heads, n_q, n_k))
    weights = np.zeros((heads, n_q, n_k))
    empty_rows = []
    for g in range(heads):
        for i in range(n_q):
            row = before_softmax[g, i]
            seen = ~np.isneginf(row)
            if not seen.any():
                empty_rows.append([g, i])
                continue
            rowmax[g, i] = row[seen].max()
            if temperature == 0:
                exponentials[g, i] = np.where(seen & (row == rowmax[g, i]), 1.0, 0.0)
            else:
                shifted[g, i, seen] = (row[seen] - rowmax[g, i]) / temperature
                exponentials[g, i, seen] = np.exp(shifted[g, i, seen])
            weights[g, i] = exponentials[g, i] / exponentials[g, i].sum()
    stages["rowmax"] = rowmax
    if temperature != 0:
        stages["shifted"] = shifted
    stages["exp"] = exponentials
    stages["rowsum"] = exponentials.sum(axis=2)
    stages["weights"] = weights
    stages["output"] = np.stack([weights[g] @ values[g] for g in range(heads)])
    return stages, empty_rows


def softmax(array, axis, log):
    """Softmax or its logarithm along one axis; a line with nothing but -inf gives zeros (or -inf)."""
    lines = np.moveaxis(array, axis, -1)
    result = np.zeros(lines.shape)
    for where in np.ndindex(lines.shape[:-1]):
        line = lines[where]
        seen = ~np.isneginf(line)
        answer = np.full(line.shape, NEGATIVE_INFINITY if log else 0.0)
        if seen.any():
            less = line[seen] - line[seen].max()
            total = np.exp(less).sum()
            answer[seen] = less - np.log(total) if log else np.exp(less) / total
        result[where] = answer
    return np.moveaxis(result, -1, axis)


# ---------------------------------------------------------------- writing


def number(value):
    value = float(value)
    if np.isneginf(value):
        return "-inf"
    short = float("%.10g" % value)
    return int(short) if short == int(short) and abs(short) < 1e15 else short


def flat(array):
    array = np.asarray(array)
    return {"shape": list(array.shape), "data": [number(v) for v in array.reshape(-1)]}


def exact(array):
    """The array, after making sure that float32 holds every number of it."""
    array = np.asarray(array, dtype=np.float64)
    assert np.array_equal(array.astype(np.float32).astype(np.float64), array), "an input is not exact in float32"
    return array


class Draw:
    def __init__(self, seed):
        self.generator = np.random.Generator(np.random.PCG64(seed))

    def numbers(self, *shape, spread=1.0):
        return np.round(self.generator.standard_normal(shape) * spread * 32) / 32

    def yes_no(self, *shape, share=0.6):
        return self.generator.random(shape) < share


def attend_case(name, form, heads=1, **options):
    """One case: what goes into attend, and every stage that must come out."""
    inputs = {key: exact(value) for key, value in form.items()}
    stages = {}
    if "x" in inputs:
        other = inputs.get("xKv", inputs["x"])
        queries = split_heads(inputs["x"] @ inputs["wQ"], heads)
        keys = split_heads(other @ inputs["wK"], heads)
        values = split_heads(other @ inputs["wV"], heads)
        stages.update(queries=queries, keys=keys, values=values)
    else:
        queries, keys, values = (split_heads(inputs[key], heads) for key in ("q", "k", "v"))
    computed, empty_rows = attention(queries, keys, values, **options)
    stages.update(computed)

    written = {key: flat(value) for key, value in inputs.items()}
    if heads != 1:
        written["heads"] = heads
    for key in ("scale", "temperature"):
        if options.get(key) is not None:
            written[key] = number(exact(options[key]))
    if options.get("allow") is not None:
        written["allow"] = flat(options["allow"].astype(int))
    if options.get("add") is not None:
        written["add"] = flat(options["add"])
    if options.get("causal") is not None:
        written["causal"] = options["causal"]
    return {
        "name": name,
        "input": written,
        "emptyRows": empty_rows,
        "stages": {key: flat(value) for key, value in stages.items()},
    }


def given(draw, n_q, n_k, d_k, d_v, heads=1, spread=1.0):
    return {
        "q": draw.numbers(n_q, heads * d_k, spread=spread),
        "k": draw.numbers(n_k, heads * d_k, spread=spread),
        "v": draw.numbers(n_k, heads * d_v),
    }


def masks():
    draw = Draw(101)
    yield attend_case("allow, 4 queries, 6 keys", given(draw, 4, 6, 8, 8), allow=draw.yes_no(4, 6))
    yield attend_case("allow for each of 3 heads", given(draw, 4, 6, 8, 8, heads=3), heads=3, allow=draw.yes_no(3, 4, 6))
    yield attend_case("one allow for 3 heads", given(draw, 3, 5, 4, 2, heads=3), heads=3, allow=draw.yes_no(3, 5))
    blocked = draw.yes_no(5, 7)
    blocked[2, :] = False
    blocked[4, :] = False
    yield attend_case("allow with two fully blocked rows", given(draw, 5, 7, 3, 4), allow=blocked)
    none_seen = np.zeros((3, 4), dtype=bool)
    yield attend_case("allow that blocks everything", given(draw, 3, 4, 2, 3), allow=none_seen)
    yield attend_case("one visible key in each row", given(draw, 4, 4, 3, 3), allow=np.eye(4)[::-1].astype(bool))
    yield attend_case("additive mask of finite numbers", given(draw, 4, 6, 8, 8), add=draw.numbers(4, 6))
    add = draw.numbers(4, 6)
    add[draw.yes_no(4, 6, share=0.4)] = NEGATIVE_INFINITY
    add[1, :] = NEGATIVE_INFINITY
    add[3, 2] = 0.5
    yield attend_case("additive mask with -inf and a blocked row", given(draw, 4, 6, 8, 8), add=add)
    add = draw.numbers(2, 3, 5)
    add[draw.yes_no(2, 3, 5, share=0.3)] = NEGATIVE_INFINITY
    yield attend_case("additive mask for each of 2 heads", given(draw, 3, 5, 4, 6, heads=2), heads=2, add=add)
    add = draw.numbers(4, 5)
    add[0, :3] = NEGATIVE_INFINITY
    yield attend_case(
        "allow, additive and causal mask together", given(draw, 4, 5, 4, 3), allow=draw.yes_no(4, 5, share=0.8), add=add, causal="end"
    )


def causal():
    draw = Draw(102)
    yield attend_case("causal true, square", given(draw, 6, 6, 4, 4), causal=True)
    yield attend_case("causal start, more keys", given(draw, 4, 6, 8, 10, heads=3), heads=3, causal="start")
    yield attend_case("causal start, more queries", given(draw, 6, 3, 8, 8, heads=2), heads=2, causal="start")
    yield attend_case("causal end, more keys", given(draw, 2, 5, 3, 3), causal="end")
    yield attend_case("causal end, more queries: the first rows see nothing", given(draw, 5, 2, 3, 3), causal="end")
    for offset in (-2, -1, 1, 3):
        yield attend_case("causal offset %d" % offset, given(draw, 4, 5, 3, 2), causal={"offset": offset})
    yield attend_case("causal offset beyond the last key", given(draw, 3, 4, 2, 2), causal={"offset": 9})


def heads_and_sizes():
    draw = Draw(103)
    yield attend_case("one head, 4 by 6, width 8", given(draw, 4, 6, 8, 8))
    yield attend_case("three heads, 4 by 6, width 8", given(draw, 4, 6, 8, 8, heads=3), heads=3)
    yield attend_case("values wider than keys", given(draw, 4, 6, 8, 10, heads=3), heads=3)
    yield attend_case("values narrower than keys", given(draw, 5, 3, 7, 1, heads=2), heads=2)
    yield attend_case("one query, one key", given(draw, 1, 1, 3, 2))
    yield attend_case("many keys, one query", given(draw, 1, 37, 5, 3))
    yield attend_case("odd everything", given(draw, 9, 17, 13, 5))
    yield attend_case("eight heads of width 1", given(draw, 3, 3, 1, 1, heads=8), heads=8)


def scale_and_temperature():
    draw = Draw(104)
    for scale in (0.0078125, 0.5, 2.0, 0.0, -0.5):
        yield attend_case("scale %g" % scale, given(draw, 3, 5, 4, 3), scale=scale)
    for temperature in (0.25, 0.5, 2.0, 64.0):
        yield attend_case("temperature %g" % temperature, given(draw, 3, 5, 4, 3), temperature=temperature)
    whole = {key: np.round(value * 2) for key, value in given(draw, 5, 6, 2, 3).items()}
    whole["k"][3] = whole["k"][1]
    yield attend_case("temperature 0: ties share", whole, scale=1.0, temperature=0.0)
    allow = draw.yes_no(5, 6)
    allow[1, :] = False
    yield attend_case("temperature 0 with a mask", whole, scale=1.0, temperature=0.0, allow=allow)


def huge_scores():
    draw = Draw(105)
    big = given(draw, 5, 6, 4, 4, heads=2)
    big["q"] = np.round(big["q"] * 40)
    big["k"] = np.round(big["k"] * 40)
    yield attend_case("scores near 5000, exact in float32", big, heads=2, scale=0.5)
    yield attend_case("the same with an additive mask", big, heads=2, scale=0.5, add=np.round(draw.numbers(5, 6) * 4))
    yield attend_case("one key far ahead", {"q": [[2.0**50], [-(2.0**50)]], "k": [[2.0**50], [0.0], [-(2.0**50)]], "v": [[1, 2], [3, 4], [5, 6]]}, scale=1.0)
    yield attend_case("all scores very low and equal", {"q": [[-(2.0**60)]], "k": [[2.0**60]] * 3, "v": [[1.0], [2.0], [6.0]]}, scale=1.0)
    yield attend_case("differences below the smallest float32", {"q": [[1.0]], "k": [[0.0], [-88.0], [-104.0], [-200.0]], "v": [[0.0], [0.0], [0.0], [1.0]]}, scale=1.0)


def projections():
    draw = Draw(106)

    def tokens(n_q, d_model, d_k, d_v, heads, n_k=None, d_kv=None):
        form = {"x": draw.numbers(n_q, d_model)}
        if n_k is not None:
            form["xKv"] = draw.numbers(n_k, d_kv)
        width = d_kv if d_kv is not None else d_model
        spread = 1 / np.sqrt(max(width, d_model, 1))
        form["wQ"] = draw.numbers(d_model, heads * d_k, spread=spread)
        form["wK"] = draw.numbers(width, heads * d_k, spread=spread)
        form["wV"] = draw.numbers(width, heads * d_v, spread=spread)
        return form

    yield attend_case("self-attention, one head", tokens(5, 8, 4, 4, 1))
    yield attend_case("self-attention, 2 heads, causal", tokens(6, 8, 4, 4, 2), heads=2, causal=True)
    yield attend_case("cross-attention, other widths", tokens(3, 8, 4, 5, 2, n_k=5, d_kv=6), heads=2)
    yield attend_case(
        "cross-attention with allow", tokens(4, 5, 3, 3, 3, n_k=7, d_kv=9), heads=3, allow=draw.yes_no(4, 7)
    )
    yield attend_case("cross-attention, no keys", tokens(2, 3, 2, 2, 1, n_k=0, d_kv=3))


def empty_sizes():
    draw = Draw(107)
    yield attend_case("no queries", given(draw, 0, 4, 3, 2))
    yield attend_case("no keys", given(draw, 2, 0, 3, 3))
    yield attend_case("no tokens at all", given(draw, 0, 0, 3, 3, heads=2), heads=2)
    yield attend_case("keys of width 0: all scores 0", given(draw, 2, 3, 0, 2))
    yield attend_case("values of width 0", given(draw, 2, 3, 2, 0))
    yield attend_case("no keys, causal", given(draw, 2, 0, 3, 2), causal="end")


def softmax_cases():
    draw = Draw(108)
    base = draw.numbers(3, 4, 5)
    blocked = base.copy()
    blocked[draw.yes_no(3, 4, 5, share=0.4)] = NEGATIVE_INFINITY
    blocked[1, 2, :] = NEGATIVE_INFINITY
    blocked[:, 0, 1] = NEGATIVE_INFINITY
    large = base * 1024
    whole = np.array([[1000.0, 1000.0, 999.0], [-1000.0, -1001.0, -1000.0], [2.0**127, -(2.0**127), 0.0]])
    arrays = {"plain": base, "blocked": blocked, "large": large, "very large": whole}
    for name, array in arrays.items():
        for axis in range(-1, array.ndim):
            for log in (False, True):
                # log of a value 2^128 below the maximum is not a float32
                if name == "very large" and log:
                    continue
                result = softmax(array, axis, log)
                case = {"name": "%s, axis %d%s" % (name, axis, ", log" if log else "")}
                case["input"] = {**flat(exact(array)), "axis": axis, "log": log}
                case["output"] = flat(result)
                yield case
    yield {"name": "one number", "input": {**flat(np.array([7.0])), "axis": 0, "log": False}, "output": flat([1.0])}
    yield {
        "name": "an axis of length 0",
        "input": {**flat(np.zeros((2, 0))), "axis": 1, "log": False},
        "output": flat(np.zeros((2, 0))),
    }
    long_line = draw.numbers(67, spread=3.0)
    yield {
        "name": "a line of 67",
        "input": {**flat(long_line), "axis": -1, "log": False},
        "output": flat(softmax(long_line, -1, False)),
    }


def house():
    example = json.loads((HERE.parent.parent / "content" / "examples" / "house-4x5.json").read_text("utf-8"))
    form = {key: np.array(example[key], dtype=np.float64) for key in ("x", "xKv", "wQ", "wK", "wV")}
    yield attend_case("house-4x5", form)
    allow = np.ones((4, 5), dtype=bool)
    allow[:, 4] = False
    yield attend_case('house-4x5 with key "." masked', form, allow=allow)


GROUPS = {
    "masks": masks,
    "causal": causal,
    "heads-and-sizes": heads_and_sizes,
    "scale-and-temperature": scale_and_temperature,
    "huge-scores": huge_scores,
    "projections": projections,
    "empty-sizes": empty_sizes,
    "softmax": softmax_cases,
    "house-4x5": house,
}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, cases in GROUPS.items():
        listed = list(cases())
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in listed)
        head = json.dumps(TOLERANCE)
        text = '{"madeBy":"tests/golden/make_golden.py","tolerance":%s,"cases":[\n%s\n]}\n' % (head, lines)
        (folder / (name + ".json")).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
