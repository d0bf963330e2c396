"""Values that no JSON text gives, each made to break who asks it anything."""

from collections.abc import Callable
from typing import Any

from .support import SCALE


def refuse(*args: object, **options: object) -> Any:
    raise RuntimeError("a hostile value was asked")


ASKED = (
    "__bool__ __contains__ __eq__ __float__ __format__ __getitem__ __hash__ __index__ __int__ "
    "__iter__ __len__ __repr__ __str__ __sub__ bit_length copy encode get is_integer isascii items "
    "keys pop replace startswith values"
)


def mute(base: type) -> Any:
    """A subclass that answers no question."""
    return type(f"Mute{base.__name__}", (base,), dict.fromkeys(ASKED.split(), refuse))


MuteDict, MuteList, MuteText = mute(dict), mute(list), mute(str)
MuteWhole, MuteReal, Mute = mute(int), mute(float), mute(object)


class Classless:
    """An object that does not say of what class it is."""

    __class__ = property(refuse)


class Pretender:
    """An object that says it is of another class."""

    def __init__(self, other: type) -> None:
        object.__setattr__(self, "other", other)

    __class__ = property(lambda self: self.other)


class Meta(type):
    """The class of classes that can neither be hashed nor compared nor named."""

    __eq__ = __hash__ = refuse
    __name__ = property(refuse)


class Nameless(metaclass=Meta):
    pass


class TwoFaced(list[Any]):
    """A list that shows nothing to those who look through it."""

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


class Turning:
    """A key that can be hashed once."""

    def __init__(self) -> None:
        self.hashed = False

    def __hash__(self) -> int:
        if self.hashed:
            refuse()
        self.hashed = True
        return 1


class Unequal:
    """A key that is found where "v" is looked for, and then refuses to be compared."""

    def __hash__(self) -> int:
        return hash("v")

    __eq__ = refuse


def nested(inside: Callable[[Any], object], depth: int) -> Any:
    """`depth` containers around an empty one, each made by `inside`."""
    value: Any = []
    for _ in range(depth):
        value = inside(value)
    return value


def self_containing_list() -> Any:
    value: list[Any] = []
    value += [value, value]
    return value


def self_containing_dict() -> Any:
    value: dict[str, Any] = {}
    value["v"] = value["w"] = value
    return value


MAKERS: dict[str, Callable[[], Any]] = {
    "mute object": Mute,
    "mute dict": lambda: MuteDict(v="x", kind="allow", card="generic", title="x", content=[]),
    "mute list": lambda: MuteList([{"type": "text", "text": "x"}]),
    "mute text": lambda: MuteText("t"),
    "mute int": lambda: MuteWhole(3),
    "mute float": lambda: MuteReal(3.0),
    "mute key": lambda: {MuteText: 1},
    "without class": Classless,
    "class": lambda: Nameless,
    "of a nameless class": Nameless,
    **{
        f"pretended {kind.__name__}": lambda kind=kind: Pretender(kind)  # type: ignore[misc]
        for kind in (dict, list, str, float)
    },
    "two-faced": lambda: TwoFaced([object()]),
    "turning key": lambda: {Turning(): [1]},
    "turning key in a subclass": lambda: MuteDict({Turning(): [1]}),
    "unequal key": lambda: {Unequal(): 1},
    "list in itself": self_containing_list,
    "dict in itself": self_containing_dict,
    "deep list": lambda: nested(lambda inner: [inner], 5_000),
    "deep dict": lambda: nested(lambda inner: {"v": inner}, 5_000),
    "deep tuple": lambda: nested(lambda inner: (inner,), 5_000),
    "doubling list": lambda: nested(lambda inner: [inner, inner], 100),
    "doubling dict": lambda: nested(lambda inner: {"v": inner, "w": inner}, 100),
    "generator": lambda: (number for number in [1]),
    "tuple of the classless": lambda: (Classless(),),
    "set": lambda: {1},
    "bytes": lambda: b"x",
    "function": lambda: refuse,
    "error": lambda: ValueError(Mute()),
    "NaN": lambda: float("nan"),
    "long number": lambda: 10**5000,
    "lone surrogate": lambda: "\ud800",
    "long text": lambda: "x" * 100_000,
    "long key": lambda: {"k" * 100_000: 1},
    "long class name": type("C" * 100_000, (), {}),
    "null": lambda: None,
}
HUGE: dict[str, Callable[[], Any]] = {
    "deep list": lambda: nested(lambda inner: [inner], 100_000),
    "deep dict": lambda: nested(lambda inner: {"v": inner}, 100_000),
    "deep tuple": lambda: nested(lambda inner: (inner,), 100_000),
    f"{SCALE} million numbers": lambda: [0] * SCALE * 1_000_000,
    f"{SCALE} million times one object": lambda: [{}] * SCALE * 1_000_000,
    "a million texts": lambda: ["x"] * 1_000_000,
}
