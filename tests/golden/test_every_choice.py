"""Every recipe with every attachment, machine and release: what is allowed renders and keeps the rules, what is not is refused.

The rules of the letter F hold each runtime against its machine and its release; so a bundle without an error has the right counts,
annotations and variables.
"""

from dataclasses import replace

import pytest

from bundler import Catalog, InvalidInput, Request, bundle
from bundler.model.finding import Severity
from bundler.profiles.axes import Axes
from bundler.profiles.machines import fitting, machine_parameter
from bundler.profiles.selection import choices_of
from bundler.profiles.trials import trials

AXIS = "fabricAttachment"
CATALOG = Catalog.load()
VALUES = CATALOG.derived(Axes.of)[AXIS]
WITH_FABRIC = [recipe for recipe in CATALOG.recipes.values() if AXIS in recipe.data.get("profiles", {})]


def label(request):
    given = request.parameters.get(AXIS, {})
    named = machine_parameter(VALUES.values[request.profiles[AXIS]])
    words = (request.recipe, *request.profiles.values(), given.get(named[0]) if named else None, given.get("release"))
    return "-".join(str(word) for word in words if word)


def with_releases(request):
    """The request with each release of the attachment's table, or as it is."""
    parameters = VALUES.values[request.profiles[AXIS]].parameters
    releases = parameters["release"].releases if "release" in parameters else ()
    given = request.parameters.get(AXIS, {})
    for release in releases:
        yield replace(request, parameters={**request.parameters, AXIS: {**given, "release": release}})
    if not releases:
        yield request


ALLOWED = [made for recipe in WITH_FABRIC for request in trials(CATALOG, recipe) for made in with_releases(request)]


@pytest.mark.parametrize("request_", ALLOWED, ids=label)
def test_what_is_allowed_renders_and_keeps_the_rules(request_):
    made = bundle(CATALOG, request_)
    assert not [finding for finding in made.warnings if finding.severity is Severity.ERROR]
    assert not [finding for finding in made.warnings if finding.rule.startswith("AICR-F") and finding.rule != "AICR-F009"]


REFUSED = [(recipe, value) for recipe in WITH_FABRIC for value in VALUES.values.values() if value not in choices_of(VALUES, recipe)]


@pytest.mark.parametrize(("recipe", "value"), REFUSED, ids=lambda part: part.name)
def test_what_a_recipe_does_not_accept_is_refused_with_the_reason(recipe, value):
    with pytest.raises(InvalidInput) as caught:
        bundle(CATALOG, Request(recipe=recipe.name, profiles={AXIS: value.name}))
    finding = caught.value.findings[0]
    assert finding.rule in {"AICR-P004", "AICR-P005"}
    assert f"{AXIS}={value.name} " in finding.message
    assert finding.fix.startswith(f"recipe {recipe.name!r} accepts none")


def machines():
    """Every machine type of a cloud with every value of its recipes that depends on the machine and does not fit it."""
    for recipe in WITH_FABRIC:
        criteria = recipe.data["criteria"]
        if criteria["service"] not in CATALOG.machine_tables:
            continue
        rows = CATALOG.machine_table(criteria["service"]).data["machines"]
        for value in choices_of(VALUES, recipe):
            fit = fitting(value, criteria["accelerator"])
            for row in rows:
                if (fit or machine_parameter(value)) and row["name"] not in fit:
                    yield recipe, value, row


@pytest.mark.parametrize(("recipe", "value", "row"), list(machines()), ids=lambda part: getattr(part, "name", None) or part["name"])
def test_a_machine_that_does_not_fit_is_refused_by_name(recipe, value, row):
    with pytest.raises(InvalidInput) as caught:
        bundle(CATALOG, Request(recipe=recipe.name, profiles={AXIS: value.name}, machine_type=row["name"]))
    finding = next(each for each in caught.value.findings if each.rule in {"AICR-P022", "AICR-P023"})
    assert row["name"] in finding.message
    accelerator = recipe.data["criteria"]["accelerator"]
    assert finding.rule == ("AICR-P023" if row["accelerator"] == accelerator else "AICR-P022")
