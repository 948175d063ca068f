// The frame around every page. `root` leads from the page to the root of the site: "", "../" or "../../".
import { escape } from './markdown.mjs';

function navigation(sections, here, root) {
  return sections.map((section) => {
    const inside = section.pages.some((page) => page.url === here);
    const list = section.pages.map((page) =>
      `<li><a href="${root}${page.url}"${page.url === here ? ' aria-current="page"' : ''}>${escape(page.title)}</a></li>`).join('');
    return `<details${inside || section.open ? ' open' : ''}><summary>${escape(section.title)}</summary><ul>${list}</ul></details>`;
  }).join('\n');
}

function contents(headings) {
  const list = headings.filter((heading) => heading.level === 2 || heading.level === 3);
  if (list.length < 2) return '';
  const items = list.map((heading) => `<li class="level${heading.level}"><a href="#${heading.id}">${escape(heading.text)}</a></li>`).join('');
  return `<aside class="contents"><p>On this page</p><ul>${items}</ul></aside>`;
}

export function frame({ page, html, headings, sections, previous, next, root }) {
  const neighbour = (other, word) => (other ? `<a class="${word}" href="${root}${other.url}"><span>${word}</span>${escape(other.title)}</a>` : '<span></span>');
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.url === 'index.html' ? 'Carom' : `${page.title} · Carom`)}</title>
<link rel="icon" href="${root}icon.svg" type="image/svg+xml">
${html.includes('class="katex') ? `<link rel="stylesheet" href="${root}katex/katex.min.css">\n` : ''}<link rel="stylesheet" href="${root}style.css">
<script src="${root}site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button id="menu" aria-label="Menu" aria-expanded="false">☰</button>
<a class="home" href="${root}index.html"><img src="${root}icon.svg" alt="" width="26" height="26">Carom</a>
<div class="search"><input id="search" type="search" placeholder="Search  ( / )" aria-label="Search" autocomplete="off"><div id="found" hidden></div></div>
<button id="theme" aria-label="Light or dark" title="Light or dark">◐</button>
</header>
<div class="frame">
<nav id="navigation" aria-label="Pages">
${navigation(sections, page.url, root)}
</nav>
<main id="content">
<article>
${html}
</article>
<footer>${neighbour(previous, 'previous')}${neighbour(next, 'next')}</footer>
</main>
${contents(headings)}
</div>
</body>
</html>
`;
}
