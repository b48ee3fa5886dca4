"""Requirements on the shared dataclass: it is the standard library's, but for when its functions are made."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field, fields, replace

import pytest

from bundler.dataclass import dataclass
from bundler.model.location import Location


def both(cls, **options):
    """A class as the standard library decorates it, and as this decorator does."""
    options |= {"frozen": True, "kw_only": True}
    names = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
    return [decorator(**options)(type(cls.__name__, (), dict(names))) for decorator in (dataclasses.dataclass, dataclass)]


class Record:
    """A record of every kind of field."""

    name: str
    size: int = 3
    hidden: str = field(default="h", repr=False)
    unlike: int = field(default=0, compare=False)
    made: list[int] = field(default_factory=list, compare=False)


class Single:
    """A record of one field."""

    name: str


class Empty:
    """A record of none."""


@pytest.fixture(params=[{"slots": True}, {"slots": False}], ids=["slots", "dict"])
def options(request):
    return request.param


def test_instances_are_the_standard_ones_in_text_equality_and_hash(options):
    standard, ours = both(Record, **options)
    for cls in (standard, ours):
        assert cls(name="a") == cls(name="a", unlike=7)
        assert hash(cls(name="a")) == hash(cls(name="a", unlike=7))
        assert cls(name="a") != cls(name="b")
        assert cls(name="a").__eq__("a") is NotImplemented
    assert repr(ours(name="a", size=4)) == repr(standard(name="a", size=4)) == "Record(name='a', size=4, unlike=0, made=[])"
    assert hash(ours(name="a")) == hash(standard(name="a"))
    assert [each.name for each in fields(ours)] == [each.name for each in fields(standard)]
    assert hasattr(ours(name="a"), "__dict__") is not options["slots"]


def test_a_factory_makes_a_value_for_each_instance(options):
    _, ours = both(Record, **options)
    assert ours(name="a").made is not ours(name="a").made
    given = [1]
    assert ours(name="a", made=given).made is given


@pytest.mark.parametrize("cls", [Single, Empty])
def test_records_of_one_field_and_of_none(cls, options):
    standard, ours = both(cls, **options)
    values = {"name": "a"} if cls is Single else {}
    assert repr(ours(**values)) == repr(standard(**values))
    assert ours(**values) == ours(**values)
    assert hash(ours(**values)) == hash(standard(**values))


def test_the_very_same_value_is_equal_even_where_it_is_unlike_itself(options):
    """As in a tuple, and as in the standard's up to Python 3.12."""
    nan = float("nan")
    _, ours = both(Single, **options)
    assert ours(name=nan) == ours(name=nan)
    assert ours(name=nan) != ours(name=float("nan"))


@pytest.mark.parametrize("values", [{}, {"name": "a", "nmae": "b"}], ids=["missing", "unknown"])
def test_a_wrong_call_is_the_standard_error_the_first_time_and_later(values, options):
    standard, ours = both(Record, **options)
    with pytest.raises(TypeError) as expected:
        standard(**values)
    for _ in range(2):
        with pytest.raises(TypeError) as error:
            ours(**values)
        assert str(error.value) == str(expected.value)
    with pytest.raises(TypeError):
        ours("a")


def test_a_class_shows_its_parameters(options):
    standard, ours = both(Record, **options)
    shown = [
        [(each.name, each.kind, each.annotation) for each in inspect.signature(cls).parameters.values()] for cls in (standard, ours)
    ]
    assert shown[0] == shown[1]


def test_a_field_is_never_changed(options):
    for cls in both(Record, **options):
        record = cls(name="a")
        with pytest.raises(dataclasses.FrozenInstanceError, match=r"^cannot assign to field 'name'$"):
            record.name = "b"
        with pytest.raises(dataclasses.FrozenInstanceError, match=r"^cannot delete field 'name'$"):
            del record.name
        assert replace(record, name="b").name == "b"


def test_what_a_class_defines_itself_is_kept(options):
    class Own(Single):
        """A record with a text of its own."""

        name: str

        def __repr__(self):
            return "own"

    assert repr(both(Own, **options)[1](name="a")) == "own"


def test_a_class_without_equality_is_compared_by_identity():
    for cls in both(Single, eq=False):
        assert cls(name="a") != cls(name="a")


def test_a_record_that_holds_itself_has_a_text(options):
    _, ours = both(Single, **options)
    holder = []
    holder.append(ours(name=holder))
    assert repr(holder) == "[Single(name=[...])]"


def test_a_record_is_copied_and_sent_to_another_process(options):
    for cls in both(Record, **options):
        record = cls(name="a", made=[1])
        assert copy.deepcopy(record) == record
        assert copy.deepcopy(record).made == [1]
    location = Location(file="a.yaml", line=2, column=3)
    assert pickle.loads(pickle.dumps(location)) == location


def test_an_order_is_that_of_the_values(options):
    for cls in both(Record, **options, order=True):
        small, large = cls(name="a", size=1, unlike=9), cls(name="a", size=2)
        assert (small < large, small <= large, small > large, small >= large) == (True, True, False, False)
        assert sorted([large, small]) == [small, large]
        with pytest.raises(TypeError):
            assert small < 1


@pytest.mark.parametrize("options", [{"frozen": True}, {"slots": True, "kw_only": True}])
def test_other_classes_are_left_to_the_standard_library(options):
    made = dataclass(**options)(type("Single", (), {"__annotations__": {"name": str}}))
    assert made.__init__.__code__.co_filename == "<string>"
    assert made(name="a") == made(name="a")
