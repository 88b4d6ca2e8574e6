"""Configuration of Sphinx for the documentation site; ``make site`` runs it on staged pages."""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.addnodes import pending_xref

import slotwise as sw

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Slotwise"
author = "The Slotwise developers"
version = release = sw.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]

html_theme = "furo"
html_title = f"Slotwise {release}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .gp, .go"

myst_heading_anchors = 5
nb_execution_mode = "off"  # show the stored outputs, which the tests check
nb_render_image_options = {"alt": "Chart of the cell above"}

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 80
napoleon_google_docstring = False
napoleon_custom_sections = [("Columns", "params_style")]
napoleon_use_ivar = True

smartquotes = False
nitpicky = True
# Docstrings also state types in words; only names of this package must resolve. `slotwise._core` is
# not public (docs/stability.md).
nitpick_ignore_regex = [(r"py:.*", r"(?!slotwise\.(?!_core\.)).*")]
# A type variable has no page.
nitpick_ignore = [("py:class", "slotwise.executors.protocol.Value")]

NUMPY = "https://numpy.org/doc/stable/reference/"
PYTHON = "https://docs.python.org/3/library/"
ELSEWHERE = {
    "np.ndarray": f"{NUMPY}generated/numpy.ndarray.html",
    "npt.NDArray": f"{NUMPY}typing.html#numpy.typing.NDArray",
    "npt.ArrayLike": f"{NUMPY}typing.html#numpy.typing.ArrayLike",
    "Path": f"{PYTHON}pathlib.html#pathlib.Path",
    "Callable": f"{PYTHON}collections.abc.html#collections.abc.Callable",
    "Mapping": f"{PYTHON}collections.abc.html#collections.abc.Mapping",
    "Sequence": f"{PYTHON}collections.abc.html#collections.abc.Sequence",
    "Iterable": f"{PYTHON}collections.abc.html#collections.abc.Iterable",
    "Iterator": f"{PYTHON}collections.abc.html#collections.abc.Iterator",
}


def address_of(name: str) -> str | None:
    """Return the page of a type that another project documents."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    if name.startswith("np."):
        return f"{NUMPY}arrays.scalars.html#numpy.{name[3:]}"
    value = getattr(builtins, name, None)
    if isinstance(value, type):
        page = "exceptions" if issubclass(value, BaseException) else "functions"
        return f"{PYTHON}{page}.html#{name}"
    return None


def resolve(_: Sphinx, env: Any, node: Any, content: nodes.Element) -> nodes.Element | None:
    """Link the last word of a type to its page here, or in the Python or NumPy documentation."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    last = target.rpartition(".")[2]
    domain = env.get_domain("py")
    places = [name for name in domain.objects if name.rpartition(".")[2] == last]
    if places and last[:1].isupper():
        entry = domain.objects[min(places, key=len)]
        address = env.app.builder.get_relative_uri(node["refdoc"], entry.docname)
        place = f"{address}#{entry.node_id}"
        return nodes.reference("", "", content, refuri=place, internal=True)
    if address := address_of(target):
        return nodes.reference("", "", content, refuri=address, internal=False)
    return None


def keep_words(_: Sphinx, doctree: nodes.document) -> None:
    """Do not link a word in a type description, such as ``seconds``, to a field of that name."""
    for link in list(doctree.findall(pending_xref)):
        target = link["reftarget"]
        is_word = re.fullmatch(r"[a-z0-9_]+", target) and not hasattr(builtins, target)
        if link.get("refdomain") == "py" and link["reftype"] == "class" and is_word:
            link.replace_self(link.children)


def number_notes(
    _: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Give the numbered notes of a docstring labels that are unique on a page."""
    label = re.sub(r"\W+", "-", name).strip("-")
    for at, line in enumerate(lines):
        line = re.sub(r"\[(\d+)\]_", rf"[#{label}-\1]_", line)
        lines[at] = re.sub(r"^(\s*\.\. )\[(\d+)\]", rf"\1[#{label}-\2]", line)


def setup(app: Sphinx) -> None:
    """Register the handling of types and notes."""
    app.connect("missing-reference", resolve)
    app.connect("doctree-read", keep_words)
    app.connect("autodoc-process-docstring", number_notes)
