"""The pool and the token bucket."""

import threading
import time

from agrama.workers import Pool, TokenBucket


def test_jobs_run_side_by_side_up_to_the_size() -> None:
    pool, lock = Pool(3), threading.Lock()
    running, most, done = 0, 0, threading.Semaphore(0)

    def job() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        done.release()

    for _ in range(12):
        pool.submit(job)
    assert all(done.acquire(timeout=5) for _ in range(12))
    assert most == 3
    pool.close()


def test_threads_start_only_when_needed_and_end() -> None:
    before = set(threading.enumerate())
    pool, done = Pool(4), threading.Semaphore(0)
    for _ in range(5):
        pool.submit(done.release)
        assert done.acquire(timeout=5)
        time.sleep(0.01)
    started = set(threading.enumerate()) - before
    assert len(started) == 1
    pool.close()
    started.pop().join(5)


def test_postponed_jobs_run_in_order_after_resume() -> None:
    pool, seen, done = Pool(1), [], threading.Event()
    pool.postpone()
    for number in range(5):
        pool.submit(seen.append, number)
    time.sleep(0.02)
    assert seen == []
    pool.resume()
    pool.submit(done.set)
    assert done.wait(5)
    assert seen == list(range(5))
    pool.close()


def test_a_waiting_job_makes_room_for_another() -> None:
    pool, go, done = Pool(1), threading.Event(), threading.Semaphore(0)

    def wait() -> None:
        with pool.waiting():
            go.wait(5)
        done.release()

    pool.submit(wait)
    pool.submit(go.set)
    assert done.acquire(timeout=5)
    pool.close()


def test_token_bucket_allows_a_burst_then_a_rate() -> None:
    now = [0]
    bucket = TokenBucket(lambda: now[0], burst=5, per_second=2)
    assert [bucket.take() for _ in range(7)] == [True] * 5 + [False] * 2
    now[0] += 1_000_000_000
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now[0] += 60_000_000_000
    assert sum(bucket.take() for _ in range(10)) == 5
