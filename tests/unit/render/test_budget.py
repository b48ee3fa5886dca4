"""Requirements on what a rendering pays for."""

import pytest

from bundler.render.budget import LARGEST_OUTPUT, LARGEST_RANGE, LARGEST_SOURCE, LARGEST_TEXT, STEPS, Budget
from bundler.render.refusal import Refusal
from tests.unit.render.kit import data, findings


def test_the_last_step_may_be_taken_and_no_other():
    budget = Budget()
    budget.pay(STEPS)
    with pytest.raises(Refusal, match=f"the template takes more than {STEPS} steps"):
        budget.pay(1)


def test_a_list_named_many_times_weighs_what_a_serialiser_would_write():
    value = [1]
    for _ in range(60):
        value = [value, value]
    with pytest.raises(Refusal) as caught:
        Budget().weigh(value)
    assert caught.value.rule == "AICR-T009"


def test_what_is_no_data_has_no_weight():
    with pytest.raises(Refusal, match="a value of type object is no data that a manifest can hold"):
        Budget().weigh([object()])


def test_a_text_has_a_largest_length():
    Budget().pay_text(LARGEST_TEXT)
    with pytest.raises(Refusal, match=f"a text of {LARGEST_TEXT + 1} characters is longer than {LARGEST_TEXT}"):
        Budget().pay_text(LARGEST_TEXT + 1)


def loops(depth, body="a: 1", over=f"range({LARGEST_RANGE})"):
    return f"{{% for i in {over} %}}\n" * depth + f"{body}\n" + "{% endfor %}\n" * depth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (loops(3, body="{% set a = 1 %}"), f"the template takes more than {STEPS} steps"),
        (loops(1, over=f"range({LARGEST_RANGE + 1})"), f"a range is longer than {LARGEST_RANGE}"),
        (loops(1, over="range(10 ** 12)"), f"a range is longer than {LARGEST_RANGE}"),
        (loops(2, body=f"a: {'x' * 5000}"), f"the rendered text is longer than {LARGEST_OUTPUT} characters"),
        (
            "{% for i in range(10000) if (range(10000) | length) > 1 %}\n{% endfor %}\n",
            f"the template takes more than {STEPS} steps",
        ),
        ("{% set a = [[[[1, 1], 1], 1], 1] %}\n" + "{% set a = [a, a] %}\n" * 60, f"the template takes more than {STEPS} steps"),
        ("{% set a = ['x' * 1000000] %}\n" + "{% set a = a + a %}\n" * 20 + "b: {{ a | to_json }}\n", None),
        (f"a: {'x' * LARGEST_SOURCE}\n", f"the template is longer than {LARGEST_SOURCE} characters"),
    ],
)
def test_a_template_that_exceeds_a_limit_ends_with_one_finding(text, message):
    [found] = findings(text)
    assert found.rule == "AICR-T009"
    assert message is None or found.message == message
    assert found.fix


@pytest.mark.parametrize("test", ["a == b", "a < b", "a in [b]", "1 in a", "b != a or a == b"])
def test_comparing_pays_for_what_it_walks(test):
    text = "{% set a = [0] * 100000 %}\n{% set b = [0] * 100000 %}\n{% for i in range(10000) %}\n"
    [found] = findings(f"{text}{{% if {test} %}}\n{{% endif %}}\n{{% endfor %}}\n")
    assert found.message == f"the template takes more than {STEPS} steps"


def test_a_part_pays_each_time_it_is_included():
    part = "{% set x = 1 %}\n" * 3000
    [found] = findings(loops(1, body="{% include 'p.yaml.j2' %}"), parts={"p.yaml.j2": part})
    assert found.message == f"the template takes more than {STEPS} steps"


def test_what_templates_really_do_is_far_from_every_limit():
    text = "env:\n{% for row in values.env %}\n  - {{ row | to_json }}\n{% endfor %}\n"
    env = [{"name": f"NAME_{number}", "value": "x" * 100} for number in range(1000)]
    assert data(text, {"env": env}) == {"env": env}
