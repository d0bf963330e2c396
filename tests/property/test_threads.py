"""Many threads and a forked process: no tool, no result and no change event is lost."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from dsh_tools import HarnessError, ToolRegistry, define_tool, validate_args
from dsh_tools.calls.waterfall import Registrations

from tests.unit.support import call, raw_tool, text_of

THREADS = 16
ROUNDS = 150


@pytest.fixture(autouse=True)
def switching_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(work: Callable[[int], None]) -> None:
    """`work(number)` in each thread, all at once; what one of them raises is raised."""
    failures: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_each_tool_that_comes_or_goes_is_told_once_to_each_listener() -> None:
    registry, first, second = ToolRegistry(), count(), count()
    registry.on_change(lambda: next(first))
    registry.on_change(lambda: next(second))

    def work(worker: int) -> None:
        for number in range(ROUNDS):
            name = f"tool-{worker}-{number}"
            dispose = registry.register(raw_tool(lambda args, execution: name, name))
            assert text_of(registry.execute(call(name=name))) == name
            if number % 2:
                dispose()
                dispose()

    in_threads(work)
    added = THREADS * ROUNDS
    assert (next(first), next(second)) == (added + added // 2, added + added // 2)
    assert len(registry.schemas()) == added // 2


def test_of_those_who_want_a_name_one_gets_it_and_of_those_who_drop_it_one_does() -> None:
    registry, winners, changes = ToolRegistry(), count(), count()
    registry.on_change(lambda: next(changes))

    def work(worker: int) -> None:
        for _ in range(ROUNDS):
            try:
                dispose = registry.register(raw_tool(lambda args, execution: None, "wanted"))
            except HarnessError as error:
                assert error.code == "DUPLICATE_TOOL"
            else:
                next(winners)
                dispose()

    in_threads(work)
    assert next(changes) == 2 * next(winners)
    assert registry.schemas() == []


def test_a_listener_that_registers_and_executes_meets_no_lock() -> None:
    registry, heard = ToolRegistry(), count()
    registry.register(raw_tool(lambda args, execution: "steady", "steady"))
    inside = threading.local()

    def listen() -> None:
        next(heard)
        assert text_of(registry.execute(call(name="steady"))) == "steady"
        if not getattr(inside, "registers", False):
            inside.registers = True
            name = f"inner-{threading.get_ident()}"
            registry.register(raw_tool(lambda args, execution: None, name))()
            inside.registers = False

    registry.on_change(listen)
    def work(worker: int) -> None:
        for _ in range(ROUNDS // 5):
            registry.register(raw_tool(lambda args, execution: None, f"outer-{worker}"))()

    in_threads(work)
    assert next(heard) == THREADS * (ROUNDS // 5) * 2 * 3
    assert len(registry.schemas()) == 1


def test_no_registration_is_lost_and_each_once_serves_one_call() -> None:
    registry, served = ToolRegistry(), count()

    def once(execution: Any, next_: Any) -> Any:
        next(served)
        return next_()

    def work(worker: int) -> None:
        for _ in range(ROUNDS):
            kept = registry.guard(lambda execution: None)
            registry.on_pre_execute(once, once=True)
            registry.execute(call())
            kept()

    in_threads(work)
    registry.execute(call())
    assert next(served) == THREADS * ROUNDS
    assert (registry._policy.guards.entries, registry._policy.pre.entries) == ((), ())


def test_one_tool_and_one_spec_serve_all_threads_while_their_check_is_compiled() -> None:
    for _ in range(20):
        spec: Any = {"n": {"type": "integer", "required": True}, os.urandom(8).hex(): {"type": "string"}}
        tool = define_tool(
            name="t", description="", parameters=spec, execute=lambda args, e: str(args["n"])
        )
        registry = ToolRegistry()
        registry.register(tool)

        def work(worker: int) -> None:
            for number in range(20):
                assert text_of(registry.execute(call(arguments={"n": number}))) == str(number)
                assert registry.execute(call(arguments={"n": "x"}))["is_error"]
                assert validate_args(spec, {"n": number}) == []

        in_threads(work)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_registry_is_used_in_forked_processes_while_threads_change_it() -> None:
    registry, stop = ToolRegistry(), threading.Event()
    registry.register(raw_tool(lambda args, execution: "steady", "steady"))

    def change(worker: int) -> None:
        while not stop.is_set():
            registry.guard(lambda execution: None)()
            registry.register(raw_tool(lambda args, execution: None, f"own-{worker}"))()

    threads = [threading.Thread(target=change, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    try:
        assert [forked(lambda: use(registry)) for _ in range(20)] == [0] * 20
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_lock_that_another_thread_holds_is_free_in_a_forked_process() -> None:
    from dsh_tools.calls import waterfall

    chain: Registrations[Callable[[], None]] = Registrations()
    held = threading.Event()

    def hold() -> None:
        with waterfall._lock:
            held.set()
            time.sleep(0.1)  # a fork in the meantime must wait, or find a way around

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    assert forked(lambda: chain.add(lambda: None)()) == 0
    thread.join()


def use(registry: ToolRegistry) -> None:
    registry.guard(lambda execution: None)
    registry.register(raw_tool(lambda args, execution: "child", "child"))
    assert text_of(registry.execute(call(name="child"))) == "child"
    assert text_of(registry.execute(call(name="steady"))) == "steady"


def forked(work: Callable[[], object]) -> int:
    """The exit code of a child process that does the work: 0, 1 when it raises, or a signal's
    negative when it hangs."""
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(60)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
