import pytest

def price(count, each):
    return count * each

def test_two():
    assert price(2, 3) == 6

def test_nothing():
    print("printed by the test")
    assert price(0, 3) == 1, "nothing has a price"

@pytest.mark.skip(reason="takes an hour")
def test_all():
    pass

@pytest.mark.xfail
def test_known():
    assert False

@pytest.mark.parametrize("n", [1, 2])
def test_many(n):
    assert price(n, n) == n

class TestCart:
    def test_raises(self):
        raise ValueError("no such ware\nsecond line")

@pytest.fixture
def broken():
    raise RuntimeError("no database")

def test_with_broken(broken):
    pass
