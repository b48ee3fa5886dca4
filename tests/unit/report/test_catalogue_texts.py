"""Requirements on recipes, profiles and inputs as text: an authored document is shown whole, whatever it leaves out."""

from bundler.catalog.catalog import Catalog
from bundler.compose.index import Index
from bundler.profiles.axes import Axis
from bundler.report.inputs import inputs_text
from bundler.report.profiles import profile_text, profiles_table
from bundler.report.recipes import recipe_text, recipes_table
from bundler.yamlio.reader import read


def document(text, file="x.yaml"):
    return read(text.encode(), file)


RECIPE = document(
    "kind: Recipe\nmetadata: {name: r, description: Mine.}\ncriteria: {service: kind}\n"
    "profiles:\n  p: {default: a}\n  q: {required: true, values: [b, c]}\n"
    "constraints:\n  - {name: K, value: '>= 1'}\n"
    "components:\n  - {name: x}\n  - {name: z}\nruntimes:\n  - {name: t}\n"
)
PROFILE = document(
    "metadata: {name: p, description: A choice.}\nvalues:\n  a:\n    description: The first.\n"
    "    components:\n      - {name: x, values: {at: {of: 'no', count: 1}}}\n"
    "    parameters:\n"
    "      given: {description: Given., required: true, schema: {type: object}, example: {k: v}}\n"
    "      left: {description: Left., default: 3, schema: {type: integer}}\n"
    "      free: {description: Free., schema: {type: string}}\n"
    "      row: {description: Row., releases: tcpxo}\n"
    "  b: {description: The second.}\n"
)
BARE = document("kind: Recipe\nmetadata: {name: bare, description: Bare.}\ncriteria: {service: kind}\n")


def test_a_recipe_is_shown_with_all_its_parts():
    assert recipe_text(RECIPE) == (
        "r\nMine.\n"
        "\nfile      x.yaml\ncriteria  service=kind\n"
        "\nPROFILE  CHOICE     VALUES\np        default a  -\nq        required   b, c\n"
        "\nCONSTRAINT  VALUE  REASON\nK           >= 1   -\n"
        "\ncomponents  x, z\n"
        "\nruntimes  t\n"
    )


def test_a_recipe_that_leaves_parts_out_is_shown_without_them():
    assert recipe_text(BARE) == "bare\nBare.\n\nfile      x.yaml\ncriteria  service=kind\n"


def test_the_list_of_recipes_marks_what_must_be_chosen():
    assert recipes_table([RECIPE, BARE]) == ("NAME  PROFILES  DESCRIPTION\nr     p=a q=?   Mine.\nbare  -         Bare.\n")


def test_a_profile_is_shown_with_what_each_parameter_asks():
    axis = Axis(name="p", document=PROFILE, index=Index.of(Catalog.load()))
    assert profile_text(axis, [RECIPE, BARE]) == (
        "p\nA choice.\n"
        "\np=a\n  The first.\n"
        '  sets         x:at.of="no", x:at.count=1\n'
        "  --param p.given=k=v\n    Given. (required)\n"
        "  --param p.left=VALUE\n    Left. (default 3)\n"
        "  --param p.free=VALUE\n    Free. (optional)\n"
        "  --param p.row=VALUE\n    Row. (a row of bom/releases/tcpxo.yaml; the table's default when left out)\n"
        "\np=b\n  The second.\n"
        "\nRECIPE  CHOICE\nr       p=a\n"
    )
    assert profiles_table([PROFILE]) == "AXIS  VALUES  DESCRIPTION\np     a, b    A choice.\n"


def test_nothing_to_be_given_is_said():
    assert inputs_text([]) == "nothing has to be given\n"
