"""Live text, wake-ups and stop signals over a real Redis, and without one."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator

import pytest
import redis
from django.conf import settings

from kb_agent import live
from kb_agent.live import following
from tests.live.written import text_so_far

numbers = itertools.count(int(time.time()))


@pytest.fixture
def no_redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Point the module at an address where nothing listens."""
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:9/0")
    live._client.cache_clear()
    yield
    live._client.cache_clear()
    live._resting["until"] = 0.0


def forget() -> None:
    """What a Redis that lost everything looks like."""
    redis.Redis.from_url(settings.REDIS_URL).flushdb()


def pieces(*said: str) -> list[tuple[int, str]]:
    """Offsets of the pieces a text comes in."""
    offsets = itertools.accumulate((len(each) for each in said), initial=0)
    return list(zip(offsets, said, strict=False))


def test_text_written_in_pieces_reads_as_one_text_a_step() -> None:
    turn = next(numbers)
    for offset, text in pieces("退款", "失败后会", "重试 👍"):
        live.text(turn, 1, offset, text, sources=[])
    live.text(turn, 2, 0, "And then", sources=[])
    assert text_so_far(turn) == {1: "退款失败后会重试 👍", 2: "And then"}


def test_a_step_begun_anew_by_another_attempt_replaces_what_the_lost_one_wrote() -> None:
    turn = next(numbers)
    live.text(turn, 1, 0, "The answer is nev", sources=[])
    live.text(turn, 1, 0, "The answer", sources=[])
    live.text(turn, 1, 10, " is three.", sources=[])
    assert text_so_far(turn) == {1: "The answer is three."}


def test_text_whose_beginning_was_lost_with_redis_is_left_out() -> None:
    turn = next(numbers)
    live.text(turn, 1, 0, "Yes, up to ", sources=[])
    forget()
    live.text(turn, 1, 11, "three times.", sources=[])
    assert text_so_far(turn).get(1, "") == ""


def test_a_stop_signal_reaches_whoever_runs_the_turn() -> None:
    turn = next(numbers)
    assert not live.stopped(turn)
    live.stop(turn)
    assert live.stopped(turn)


def test_R2_every_call_survives_redis_being_down_and_costs_little(no_redis: None) -> None:
    started = time.monotonic()
    for _ in range(200):
        live.wake(1)
        live.text(1, 1, 0, "lost", sources=[])
        live.stop(1)
        assert not live.stopped(1)
        assert not live.answers()
    assert time.monotonic() - started < 15


def test_a_follower_is_woken_by_its_tape_and_by_no_other() -> None:
    tape, other = next(numbers), next(numbers)

    async def follow() -> list[set[str]]:
        follower = live.Follower()
        async with follower.watch([f"tape:{tape}"]) as watch:
            heard = [await watch.changed(within=10)]
            await asyncio.to_thread(live.wake, other)
            heard.append(await watch.changed(within=0.3))
            await asyncio.to_thread(live.wake, tape)
            heard.append(await watch.changed(within=10))
        await follower.close()
        return heard

    # The first is the subscription itself: whatever happened before it is looked up once more.
    assert asyncio.run(follow()) == [{f"tape:{tape}"}, set(), {f"tape:{tape}"}]


def test_a_follower_that_comes_late_finds_the_text_so_far_and_then_the_rest() -> None:
    turn = next(numbers)
    live.text(turn, 1, 0, "Already ", sources=[])

    async def follow() -> list[str]:
        follower, seen = live.Follower(), []
        async with follower.watch([f"turn:{turn}"]) as watch:
            await watch.changed(within=10)
            seen.append(follower.writing[turn].steps[1].text)
            await asyncio.to_thread(live.text, turn, 1, 8, "written", sources=[])
            await watch.changed(within=10)
            seen.append(follower.writing[turn].steps[1].text)
        await follower.close()
        return seen

    assert asyncio.run(follow()) == ["Already ", "Already written"]


def test_one_reader_serves_any_number_of_watches_and_unsubscribes_after_the_last() -> None:
    tape = next(numbers)
    client = redis.Redis.from_url(settings.REDIS_URL)

    async def follow() -> tuple[int, int]:
        follower = live.Follower()
        async with follower.watch([f"tape:{tape}"]) as first:
            await first.changed(within=10)
            async with follower.watch([f"tape:{tape}"]) as second:
                assert await second.changed(within=10)
                assert client.pubsub_numsub(f"tape:{tape}")[0][1] == 1
                await asyncio.to_thread(live.wake, tape)
                both = await asyncio.gather(first.changed(within=10), second.changed(within=10))
                assert both == [{f"tape:{tape}"}] * 2
        left = await _subscribers(client, tape)
        await follower.close()
        return left, len(follower._watches)

    assert asyncio.run(follow()) == (0, 0)


async def _subscribers(client: redis.Redis, tape: int) -> int:
    for _ in range(50):
        if client.pubsub_numsub(f"tape:{tape}")[0][1] == 0:
            return 0
        await asyncio.sleep(0.05)
    return int(client.pubsub_numsub(f"tape:{tape}")[0][1])


def test_R2_a_follower_cut_off_from_redis_connects_again_and_wakes_its_watches() -> None:
    tape = next(numbers)
    client = redis.Redis.from_url(settings.REDIS_URL)

    async def follow() -> tuple[list[set[str]], list[bool]]:
        follower = live.Follower()
        async with follower.watch([f"tape:{tape}"]) as watch:
            await watch.changed(within=10)
            client.client_kill_filter(_type="pubsub")
            gone, cut = await watch.changed(within=10), follower.connected
            back, connected = await watch.changed(within=10), follower.connected
        await follower.close()
        return [gone, back], [cut, connected]

    assert asyncio.run(follow()) == ([{f"tape:{tape}"}] * 2, [False, True])


def test_R2_text_goes_on_over_a_lost_redis_for_those_who_had_its_beginning() -> None:
    turn = next(numbers)
    live.text(turn, 1, 0, "Yes, up to ", sources=[])

    async def follow() -> str:
        follower = live.Follower()
        async with follower.watch([f"turn:{turn}"]) as watch:
            await watch.changed(within=10)
            await asyncio.to_thread(forget)
            redis.Redis.from_url(settings.REDIS_URL).client_kill_filter(_type="pubsub")
            await watch.changed(within=10)
            await watch.changed(within=10)
            await asyncio.to_thread(live.text, turn, 1, 11, "three times.", sources=[])
            await watch.changed(within=10)
            text = follower.writing[turn].steps[1].text
        await follower.close()
        return text

    assert asyncio.run(follow()) == "Yes, up to three times."


def test_readers_are_woken_when_redis_goes_so_that_they_look_for_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tape = next(numbers)
    client = redis.Redis.from_url(settings.REDIS_URL)

    async def follow() -> tuple[set[str], bool]:
        follower = live.Follower()
        async with follower.watch([f"tape:{tape}"]) as watch:
            await watch.changed(within=10)
            monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:9/0")
            client.client_kill_filter(_type="pubsub")
            woken = await watch.changed(within=10)
            connected = follower.connected
        await follower.close()
        return woken, connected

    assert asyncio.run(follow()) == ({f"tape:{tape}"}, False)


def test_a_connection_that_answers_no_ping_is_taken_for_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "SILENCE_SECONDS", 0.2)
    address = settings.REDIS_URL.removeprefix("unix://").partition("?")[0]

    async def follow() -> bool:
        gates: list[asyncio.StreamWriter] = []
        deaf = asyncio.Event()

        async def pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            while data := await source.read(4096):
                if not deaf.is_set():
                    target.write(data)

        async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there_reader, there = await asyncio.open_unix_connection(address)
            gates.extend([writer, there])
            await asyncio.gather(pipe(reader, there), pipe(there_reader, writer))

        server = await asyncio.start_server(between, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setattr(settings, "REDIS_URL", f"redis://127.0.0.1:{port}/0")
        follower = live.Follower()
        async with follower.watch(["tape:1"]) as watch:
            await watch.changed(within=10)
            deaf.set()
            await watch.changed(within=10)
            dead = not follower.connected
        await follower.close()
        server.close()
        for gate in gates:
            gate.close()
        return dead

    assert asyncio.run(follow())
