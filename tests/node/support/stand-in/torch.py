"""A stand-in for PyTorch, which no machine of the tests has: the few functions that copied programs call, on NumPy."""

import numpy as np

inf = float("inf")
float32 = np.float32
bool = np.bool_


class Tensor:
    def __init__(self, numbers):
        self.numbers = np.asarray(numbers)

    shape = property(lambda self: self.numbers.shape)
    mT = property(lambda self: Tensor(np.swapaxes(self.numbers, -1, -2)))

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, place):
        return Tensor(self.numbers[place])

    def tolist(self):
        return self.numbers.tolist()

    def reshape(self, *shape):
        return Tensor(self.numbers.reshape(*shape))

    def swapaxes(self, a, b):
        return Tensor(self.numbers.swapaxes(a, b))

    transpose = swapaxes

    def flatten(self, first):
        shape = self.numbers.shape
        return Tensor(self.numbers.reshape(*shape[:first], -1))

    def unflatten(self, axis, sizes):
        shape = self.numbers.shape
        return Tensor(self.numbers.reshape(*shape[:axis], *sizes, *shape[axis + 1 :]))

    def amax(self, axis, keepdim):
        return Tensor(self.numbers.max(axis, keepdims=keepdim))

    def sum(self, axis, keepdim):
        return Tensor(self.numbers.sum(axis, keepdims=keepdim))

    def masked_fill(self, mask, number):
        return Tensor(np.where(mask.numbers, np.float32(number), self.numbers))


def _plain(x):
    # A number of Python's takes the type of the tensor beside it.
    return x.numbers if isinstance(x, Tensor) else np.float32(x) if isinstance(x, float) else x


def _operator(name):
    function = getattr(np.ndarray, name)
    return lambda self, *others: Tensor(function(np.atleast_1d(self.numbers), *map(_plain, others)))


for _name in "add radd sub rsub mul rmul truediv matmul eq gt lt and invert".split():
    setattr(Tensor, f"__{_name}__", _operator(f"__{_name}__"))


def tensor(numbers, dtype):
    return Tensor(np.array(numbers, dtype=dtype))


def where(condition, a, b):
    return Tensor(np.where(condition.numbers, _plain(a), _plain(b)))


def exp(x):
    return Tensor(np.exp(x.numbers))


def tanh(x):
    return Tensor(np.tanh(x.numbers))


def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    return Tensor(np.nan_to_num(x.numbers, nan=nan, posinf=posinf, neginf=neginf))
