import gc
import sys
import threading
from collections.abc import Callable

import pytest
from dsh_tools import HarnessError, ToolRegistry
from dsh_tools.calls.waterfall import Registrations, decide

from tests.unit.support import call, watching

Next = Callable[[], str]
Chain = Registrations[Callable[[str, Next], str]]


def naming(name: str) -> Callable[[str, Next], str]:
    return lambda value, next: f"{name}({next()})"


def run(chain: Chain, value: str = "v") -> str:
    return decide(chain.entries, (value,), "innermost")


def test_nobody_registered_gives_the_innermost_decision() -> None:
    assert run(Chain()) == "innermost"


def test_the_first_registered_is_outermost_and_prepend_outermost_of_all() -> None:
    chain = Chain()
    for name in "AB":
        chain.add(naming(name))
    for name in "XY":
        chain.add(naming(name), prepend=True)
    assert run(chain) == "Y(X(A(B(innermost))))"


def test_not_calling_next_keeps_the_others_out() -> None:
    chain = Chain()
    chain.add(lambda value, next: f"decided for {value}")
    chain.add(naming("never"))
    assert run(chain) == "decided for v"


def test_a_second_next_raises_in_the_listener_and_runs_nobody_twice() -> None:
    calls: list[str] = []

    def greedy(value: str, next: Next) -> str:
        next()
        with pytest.raises(RuntimeError, match=r"^next\(\) was called a second time$"):
            next()
        return "survived"

    chain = Chain()
    chain.add(greedy)
    chain.add(watching(calls.append))
    assert run(chain) == "survived"
    assert calls == ["v"]


def test_dispose_removes_exactly_its_registration() -> None:
    chain = Chain()
    same = naming("A")
    chain.add(same)
    chain.add(naming("B"))
    last = chain.add(same)
    last()
    last()
    assert run(chain) == "A(B(innermost))"


def test_a_run_keeps_the_listeners_it_started_with() -> None:
    chain = Chain()
    handles: list[Callable[[], None]] = []

    def meddler(value: str, next: Next) -> str:
        chain.add(naming("late"))
        handles[0]()
        return next()

    chain.add(meddler)
    handles.append(chain.add(naming("removed")))
    assert run(chain) == "removed(innermost)"
    assert run(chain) == "late(innermost)"


class TestOnce:
    def test_it_serves_one_run(self) -> None:
        chain = Chain()
        chain.add(naming("once"), once=True)
        chain.add(naming("A"))
        assert [run(chain), run(chain)] == ["once(A(innermost))", "A(innermost)"]

    def test_it_waits_until_a_run_reaches_it(self) -> None:
        chain = Chain()
        stop = chain.add(lambda value, next: "stop")
        chain.add(naming("once"), once=True)
        assert run(chain) == "stop"
        stop()
        assert [run(chain), run(chain)] == ["once(innermost)", "innermost"]

    def test_it_can_be_disposed_unserved(self) -> None:
        chain = Chain()
        chain.add(naming("once"), prepend=True, once=True)()
        assert run(chain) == "innermost"

    def test_a_turn_that_is_taken_while_it_is_registered(self) -> None:
        chain, decisions = Chain(), list[str]()
        stop = threading.Event()

        def keep_running() -> None:
            while not stop.is_set():
                decisions.append(run(chain))

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        threads = [threading.Thread(target=keep_running) for _ in range(3)]
        try:
            for thread in threads:
                thread.start()
            for _ in range(200):
                chain.add(naming("once"), once=True)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
            sys.setswitchinterval(interval)
        while chain.entries:
            decisions.append(run(chain))
        assert sum(decision.count("once") for decision in decisions) == 200

    def test_it_serves_one_run_of_many_at_the_same_time(self) -> None:
        chain = Chain()
        barrier = threading.Barrier(8)
        chain.add(watching(lambda value: barrier.wait()))
        chain.add(naming("once"), once=True)
        decisions: list[str] = []
        threads = [
            threading.Thread(target=lambda: decisions.append(run(chain))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(decisions) == ["innermost"] * 7 + ["once(innermost)"]


def test_a_run_leaves_no_reference_cycle() -> None:
    chain = Chain()
    for name in "ABC":
        chain.add(naming(name))
    gc.collect()
    gc.disable()
    try:
        for _ in range(100):
            run(chain)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_chain_of_four_hundred_listeners_runs_and_is_the_longest_there_is() -> None:
    registry = ToolRegistry()
    for add in (registry.on_pre_execute, registry.on_post_execute):
        for _ in range(400):
            dispose = add(watching(lambda *values: None))
        with pytest.raises(HarnessError, match="no more than 400 listeners") as raised:
            add(watching(lambda *values: None))
        assert raised.value.code == "TOO_MANY_LISTENERS"
        dispose()
        add(watching(lambda *values: None))
    assert registry.execute(call())["error"]["code"] == "UNKNOWN_TOOL"
