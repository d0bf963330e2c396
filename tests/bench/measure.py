"""Interleaved timing: in each round every candidate has a turn, so that all share the weather."""

import gc
from asyncio import AbstractEventLoop
from collections.abc import Awaitable, Callable, Mapping
from statistics import median
from time import perf_counter
from timeit import Timer
from typing import Final, Protocol

ROUNDS: Final = 15
TURN_SECONDS: Final = 0.01


class Timed(Protocol):
    """What can be repeated and timed."""

    def timeit(self, number: int, /) -> float:
        """The seconds that `number` repetitions take."""
        ...


def statement(source: str, **names: object) -> Timed:
    """Python source with the values of the names in it. Written into the timing loop, it costs no
    call that is not its own."""
    return Timer(source, globals=names)


class Awaited:
    """A coroutine function, all repetitions in one run of an event loop that is kept."""

    def __init__(self, call: Callable[[], Awaitable[object]], loop: AbstractEventLoop) -> None:
        self._call = call
        self._loop = loop

    def timeit(self, number: int, /) -> float:
        return self._loop.run_until_complete(self._repeat(number))

    async def _repeat(self, number: int) -> float:
        start = perf_counter()
        for _ in range(number):
            await self._call()
        return perf_counter() - start


class Rounds:
    """The seconds of one repetition, for each candidate and round."""

    def __init__(self, seconds: Mapping[str, list[float]]) -> None:
        self.seconds = seconds

    def median(self, name: str) -> float:
        return median(self.seconds[name])

    def ratio(self, name: str, other: str) -> float:
        """How many times the other one's time a candidate takes."""
        pairs = zip(self.seconds[name], self.seconds[other], strict=True)
        return median(mine / others for mine, others in pairs)


def measure(candidates: Mapping[str, Timed], rounds: int = ROUNDS) -> Rounds:
    """Time the candidates, a turn each in every round."""
    numbers = {name: _repetitions(timed) for name, timed in candidates.items()}
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, timed in candidates.items():
            seconds[name].append(_turn(timed, numbers[name]))
    return Rounds(seconds)


def _repetitions(timed: Timed) -> int:
    """How many repetitions fill a turn. Trying it out warms the candidate up."""
    number = 1
    while (seconds := timed.timeit(number)) < TURN_SECONDS / 2:
        number *= 2
    return max(1, round(number * TURN_SECONDS / seconds))


def _turn(timed: Timed, number: int) -> float:
    """Seconds per repetition. The collector rests meanwhile: with all peers loaded, a full
    collection would be charged to whoever happens to allocate when it is due."""
    gc.disable()
    try:
        return timed.timeit(number) / number
    finally:
        gc.enable()
