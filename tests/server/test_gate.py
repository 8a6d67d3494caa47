from client import Client

from texlift.server.gate import RateLimit
from texlift.server.process import running


def test_a_bucket_fills_again() -> None:
    limit = RateLimit(rate=10.0, burst=2)
    assert [limit.wait("a", 0.0), limit.wait("a", 0.0)] == [0.0, 0.0]
    assert limit.wait("a", 0.0) > 0
    assert limit.wait("b", 0.0) == 0.0
    assert limit.wait("a", 0.2) == 0.0


def test_too_many_requests_are_429_with_a_time() -> None:
    with running("--workers", "1", "--rate", "0.01") as service:
        client = Client(service)
        answers = [client.post("/translate", json={"latex": "x"}) for _ in range(110)]
        assert {answer.status_code for answer in answers[:99]} == {200}
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert client.get("/health").status_code == 200
