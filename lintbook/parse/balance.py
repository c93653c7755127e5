"""Raw HTML whose tags do not pair up."""

from __future__ import annotations

from collections import defaultdict

from lintbook.facts import StrayTag
from lintbook.parse.markup import EndTag, StartTag, live_events
from lintbook.text import Passage, Span

# The elements of HTML of which something goes wrong if they stay open: neither those without content nor those whose
# end tag may be left out (`<p>`, `<li>`). What bears another name may be a place holder (`<T>`) or another tool's.
_NAMES = """
    a abbr address article aside audio b bdi bdo big blockquote button canvas center cite code data datalist del
    details dfn dialog div dl em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i iframe
    ins kbd label legend main map mark math menu meter nav noscript object ol output picture pre progress q ruby s samp
    script section select small span strike strong style sub summary sup svg table template textarea time tt u ul var
    video
"""
_PAIRED = frozenset(_NAMES.split())


def stray_tags(html: Passage, path: str) -> tuple[StrayTag, ...]:
    """Return the tags without counterpart in ``html``, all raw HTML of the page at ``path``, in its order.

    Only names are paired: tags that cross (``<b><i></b></i>``) are mended by browsers. An ``<a>`` without ``href``
    is a mark for links to lead to, and may stay open.
    """
    opened: dict[str, list[StartTag]] = defaultdict(list)
    stray: list[StartTag | EndTag] = []
    for tag in live_events(html.text):
        if not isinstance(tag, StartTag | EndTag) or tag.start == tag.end:
            continue
        name = tag.name.lower()
        if name not in _PAIRED or (isinstance(tag, StartTag) and tag.self_closing):
            continue
        if not html.is_verbatim(tag.start):
            continue  # the renderer makes it
        if isinstance(tag, StartTag):
            opened[name].append(tag)
        elif opened[name]:
            opened[name].pop()
        else:
            stray.append(tag)
    stray.extend(tag for tags in opened.values() for tag in tags if tag.name.lower() != "a" or tag.attribute("href"))
    return tuple(
        StrayTag(Span(path, *html.range(tag.start, tag.end)), tag.name, isinstance(tag, EndTag))
        for tag in sorted(stray, key=lambda tag: tag.start)
    )
