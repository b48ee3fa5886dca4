"""Templates given as text, and catalogues and compositions of a few lines, for tests of rendering."""

from bundler.catalog.catalog import Catalog, TemplateSource
from bundler.errors import AicrError, InvalidInput
from bundler.model.composition import Component, Composition, Runtime
from bundler.model.criteria import Criteria
from bundler.model.trace import Trace
from bundler.render.renderer import Renderer

NAME = "components/x/t.yaml.j2"
FILE = f"manifests/{NAME}"


def source(text, name=NAME):
    return TemplateSource(name=name, file=f"manifests/{name}", text=text)


def renderer(text, *, parts=None, images=None, fragments=None):
    """A renderer of the template `text`, which may include `parts` by name."""
    texts = {NAME: text, **(parts or {})}

    def fetch(name):
        if name not in texts:
            raise InvalidInput("AICR-S018", f"no template {name!r} in manifests")
        return source(texts[name], name)

    return Renderer.manifests(fetch, images=images or {}, fragment=lambda name: (fragments or {})[name])


def rendered(text, values=None, **given):
    """The text that a manifest template renders to."""
    return renderer(text, **given).documents(NAME, {"values": values or {}})[0].text


def data(text, values=None, **given):
    """The one document that a manifest template renders to."""
    _, [document] = renderer(text, **given).documents(NAME, {"values": values or {}})
    return document.data


def findings(text, values=None, **given):
    """What rendering a manifest template is refused for."""
    try:
        renderer(text, **given).documents(NAME, {"values": values or {}})
    except AicrError as error:
        return error.findings
    return ()


def told(text, values=None, **given):
    """Findings as `rule line:column`."""
    return [f"{found.rule} {found.location.line}:{found.location.column}" for found in findings(text, values, **given)]


def catalog(root, templates, images="", fragments=None):
    """A catalogue with templates, images and fragments beside the packaged ones."""
    files = {f"manifests/{name}": text for name, text in templates.items()}
    files |= {f"manifests/fragments/{name}.yaml": text for name, text in (fragments or {}).items()}
    if images:
        files["bom/images.yaml"] = (
            f"apiVersion: aicr.run/v2\nkind: ImageTable\nmetadata: {{name: images, description: Images.}}\nimages:\n{images}"
        )
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Catalog.load(root)


def composition(*, components=(), runtimes=(), selections=(), **more):
    """A composition of components (name → templates, values) and runtimes."""
    return Composition(
        recipe="r",
        criteria=Criteria(service="gke", os="cos"),
        layers=(),
        components=tuple(components),
        runtimes=tuple(Runtime(name=each) if isinstance(each, str) else each for each in runtimes),
        constraints=(),
        selections=tuple(selections),
        trace=Trace(assignments={}),
        **more,
    )


def component(*manifests, name="x", **values):
    return Component(name=name, version="v1.0.0", namespace="ns-x", chart=None, values=values, manifests=manifests)
