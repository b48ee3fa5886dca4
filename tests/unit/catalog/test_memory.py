"""Requirements on what is remembered: equal inputs only, and never without bound."""

from bundler.catalog.memory import Memory


def test_what_was_made_is_made_once_for_each_key():
    memory, made = Memory(2), []
    assert [memory.of(key, lambda key=key: made.append(key) or [key]) for key in ("a", "b", "a")] == [["a"], ["b"], ["a"]]
    assert made == ["a", "b"]


def test_what_was_not_asked_for_the_longest_is_forgotten():
    memory = Memory(2)
    memory.keep("a", 1)
    memory.keep("b", 2)
    assert memory.recall("a") == 1
    memory.keep("c", 3)
    assert [memory.recall(key) for key in ("a", "b", "c")] == [1, None, 3]
