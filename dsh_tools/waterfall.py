"""The middleware chain: ordered listeners, each deciding itself or asking the next one.

A listener is called with the chain's values and `next`. `next()` gives the decision of the
listeners further in; not calling it keeps them out. What the outermost listener returns is the
decision. This module knows no tool.
"""

from _thread import allocate_lock
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar, TypeVarTuple, Unpack

from .vocabulary import Dispose

Values = TypeVarTuple("Values")
Decision = TypeVar("Decision")

Item = TypeVar("Item")

Listener: TypeAlias = Callable[[Unpack[Values], Callable[[], Decision]], Decision]


class Registrations(Generic[Item]):
    """Things registered in an order, each removed by its own handle. Safe to use from any thread.

    entries: one tuple `(item,)` for each registration, so that the same item can be registered
        twice. `entries` is replaced and never changed: who has read it keeps what it held.
    """

    __slots__ = ("entries", "_lock")

    def __init__(self) -> None:
        self.entries: tuple[tuple[Item], ...] = ()
        self._lock = allocate_lock()

    def add(self, item: Item, *, prepend: bool = False) -> Dispose:
        """Register at the end, or first of all with `prepend`. Returns what removes exactly this
        registration."""
        entry = (item,)
        with self._lock:
            self.entries = (entry, *self.entries) if prepend else (*self.entries, entry)

        def dispose() -> None:
            with self._lock:
                self.entries = tuple(kept for kept in self.entries if kept is not entry)

        return dispose


def decide(
    entries: tuple[tuple[Listener[Unpack[Values], Decision]], ...],
    values: tuple[Unpack[Values]],
    innermost: Decision,
    index: int = 0,
) -> Decision:
    """The decision of the listeners from `index` on. Behind the last of them stands `innermost`.

    What a listener raises comes out. A second `next()` raises RuntimeError in the listener.
    """
    if not entries:
        return innermost
    asked = False

    # The closure mentions neither itself nor the frame it is made in: a call leaves no cycle.
    def next() -> Decision:
        nonlocal asked
        if asked:
            raise RuntimeError("next() was called a second time")
        asked = True
        further = index + 1
        return decide(entries, values, innermost, further) if further < len(entries) else innermost

    return entries[index][0](*values, next)


def add_once(
    registrations: Registrations[Listener[Unpack[Values], Decision]],
    listener: Listener[Unpack[Values], Decision],
    *,
    prepend: bool = False,
) -> Dispose:
    """Register a listener that has one turn, in whichever run comes first, and is then gone."""
    turn = allocate_lock()  # whoever gets it has the turn; it is never given back

    def once(*arguments: Unpack[tuple[Unpack[Values], Callable[[], Decision]]]) -> Decision:
        if turn.acquire(blocking=False):
            dispose()
            return listener(*arguments)
        return arguments[-1]()

    dispose = registrations.add(once, prepend=prepend)
    return dispose
