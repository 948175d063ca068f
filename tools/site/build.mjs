#!/usr/bin/env node
// Makes a site of the documentation: node tools/site/build.mjs PROGRAM VALIDATION_FOLDER SITE_FOLDER [PYTHON_FOLDER]
// Pages and their order are those of docs/index.md. The reference comes from the program, the validation pages from what
// `carom cases --page` wrote; the reference of the Python module and the notebooks, as tools/docs has run them, from the Python folder, where
// there is one. The site needs no server and no internet.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { code_block, escape, render } from './markdown.mjs';
import { command_page, law_page, reduction_page, schema_page } from './reference.mjs';
import { frame } from './template.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const sources = resolve(here, '../..');
const [program, validation, site, python] = process.argv.slice(2).map((path) => resolve(path));
const problems = [];

// A page: { source (path from the sources, or '' for a generated one), url, text, title }.
const pages = [];
const by_source = new Map();

function url_of(source) {
  if (source === 'cases/README.md') return 'validation/cases.html';
  const a_case = /^cases\/([^/]+)\/README\.md$/.exec(source);
  if (a_case) return `validation/${a_case[1]}.html`;
  if (source === 'docs/validation/README.md') return 'validation/about.html';
  return `${source.replace(/^docs\//, '').replace(/\.md$/, '').toLowerCase()}.html`;
}

function add(page) {
  const found = pages.find((other) => other.url === page.url);
  if (found) return found;
  pages.push(page);
  if (page.source) by_source.set(page.source, page);
  return page;
}

function add_source(source) {
  return by_source.get(source) ?? add({ source, url: url_of(source), text: readFileSync(join(sources, source), 'utf8') });
}

// The sections of docs/index.md with the pages they list.
function read_sections() {
  const index = add_source('docs/index.md');
  index.url = 'index.html';
  const sections = [];
  for (const line of index.text.split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading) sections.push({ title: heading[1], pages: [], open: ['Start', 'Tutorials'].includes(heading[1]) });
    if (!/^\d*[-.] \[/.test(line)) continue;
    // An entry may list several pages: what stands before its description.
    for (const [, title, path] of line.split('): ')[0].concat(')').matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)) {
      const page = add_source(posix.normalize(posix.join('docs', path)));
      page.title = title.charAt(0).toUpperCase() + title.slice(1);
      sections.at(-1).pages.push(page);
    }
  }
  index.title = 'Overview';
  sections[0].pages.unshift(index);
  return sections;
}

function add_generated(sections) {
  const reference = sections.find((section) => section.title === 'Reference');
  for (const page of [schema_page(program), command_page(program), law_page(program), reduction_page(program)]) reference.pages.push(add(page));
  if (python) reference.pages.push(add({ source: '', url: 'reference/python.html', title: 'Python module', text: readFileSync(join(python, 'reference.md'), 'utf8') }));
  reference.pages.push({ title: 'C++ interface', url: 'api/index.html', outside: true });

  // One page for all cases, one for each: its section of the report, then its own notes.
  const section = sections.find((other) => other.title === 'Validation');
  const report = readFileSync(join(validation, 'index.md'), 'utf8');
  const parts = report.split(/^(?=## )/m);
  const kept = [];
  for (const part of parts) {
    const name = /^## (\S+)\n/.exec(part)?.[1];
    const notes = `cases/${name}/README.md`;
    if (!name || !existsSync(join(sources, notes))) {
      kept.push(part);
      continue;
    }
    const readme = readFileSync(join(sources, notes), 'utf8');
    const title = /^# (.+)$/m.exec(readme)[1];
    const [picture] = /^!\[.*\n/m.exec(part) ?? [''];
    const report_of_case = part.replace(/^## .*\n+(\*\*.*\*\*\n)?/, `# ${title}\n\nCase \`${name}\` of [all cases](index.md).\n`)
      .replace(picture, '').replace(/^(?=\|)/m, `${picture}\n`);
    const text = `${report_of_case}\n\n## Notes\n\n${readme.replace(/^# .*\n/, '').replace(/^## /gm, '### ')}`;
    const page = { source: notes, url: `validation/${name}.html`, text, title, base: 'validation', second: `cases/${name}` };
    pages.push(page);
    by_source.set(notes, page);
  }
  const text = kept.join('').replace(/\]\(#([a-z0-9_]+)\)/g, (whole, name) => (by_source.has(`cases/${name}/README.md`) ? `](${name}.html)` : whole));
  section.pages.unshift(add({ source: '', url: 'validation/index.html', text, base: 'validation', title: 'All cases beside their references' }));
  for (const file of readdirSync(validation).filter((name) => name.endsWith('.md') && name !== 'index.md')) {
    if (!pages.some((page) => page.url === `validation/${file.replace(/md$/, 'html')}`))
      add({ source: '', url: `validation/${file.replace(/md$/, 'html')}`, text: readFileSync(join(validation, file), 'utf8'), base: 'validation' });
  }
}

// The notebooks as they were run, each beside its pictures. Links to a notebook lead to its page.
function add_notebooks(sections) {
  const folder = join(python, 'notebooks'), pages_of = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.md')).sort()) {
    const name = file.replace(/\.md$/, ''), text = readFileSync(join(folder, file), 'utf8');
    const title = /^# (.+)$/m.exec(text)[1];
    pages_of.push(add({ source: `examples/notebooks/${name}.ipynb`, url: `notebooks/${name}.html`, text, title, pictures: folder }));
  }
  const guide = sections.findIndex((section) => section.title === 'Guide');
  sections.splice(guide + 1, 0, { title: 'Notebooks', pages: pages_of, open: false });
}

function write(url, text) {
  mkdirSync(dirname(join(site, url)), { recursive: true });
  writeFileSync(join(site, url), text);
}

function relative(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

const code_pages = new Map();
const languages = { '.toml': 'toml', '.cpp': 'cpp', '.h': 'cpp', '.json': 'json', '.csv': 'csv', '.sh': 'sh', '.py': 'python', '.mjs': 'text', '.ipynb': 'json' };

// Where a link of a page leads on the site. Files of the sources become pages that show them, pictures are copied.
function resolve_link(page, target) {
  if (/^([a-z]+:|#)/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const tail = anchor ? `#${anchor}` : '';
  if (path.endsWith('.html')) return target;
  if (page.base && existsSync(join(validation, path)) && !path.startsWith('..')) {
    if (path.endsWith('.md')) return path.replace(/md$/, 'html') + tail;
    mkdirSync(join(site, 'validation'), { recursive: true });
    copyFileSync(join(validation, path), join(site, 'validation', path));
    return path;
  }
  if (page.pictures && existsSync(join(page.pictures, path))) {
    mkdirSync(join(site, 'notebooks'), { recursive: true });
    copyFileSync(join(page.pictures, path), join(site, 'notebooks', path));
    return path;
  }
  const from = page.second ?? posix.dirname(page.source || 'docs/index.md');
  const file = posix.normalize(posix.join(from, path));
  if (by_source.has(file)) return relative(page.url, by_source.get(file).url) + tail;
  if (!existsSync(join(sources, file))) {
    problems.push(`${page.url}: ${target} leads nowhere`);
    return target;
  }
  if (statSync(join(sources, file)).isDirectory()) return relative(page.url, 'index.html');
  if (['.svg', '.png', '.jpg'].includes(extname(file))) {
    const copy = `images/${posix.basename(file)}`;
    mkdirSync(join(site, 'images'), { recursive: true });
    copyFileSync(join(sources, file), join(site, copy));
    return relative(page.url, copy);
  }
  if (file.endsWith('.md')) {
    problems.push(`${page.url}: ${file} is not listed in docs/index.md`);
    return target;
  }
  code_pages.set(file, { url: `sources/${file}.html`, title: file });
  return relative(page.url, `sources/${file}.html`) + tail;
}

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
const sections = read_sections();
add_generated(sections);
if (python) add_notebooks(sections);
// Cases that the report leaves out, because they take long, still have their notes.
for (const name of readdirSync(join(sources, 'cases'))) if (existsSync(join(sources, 'cases', name, 'README.md'))) add_source(`cases/${name}/README.md`);

for (const folder of ['guide', 'tutorials', 'howto', 'theory'])
  for (const name of existsSync(join(sources, 'docs', folder)) ? readdirSync(join(sources, 'docs', folder)) : [])
    if (name.endsWith('.md') && !by_source.has(`docs/${folder}/${name}`)) problems.push(`docs/${folder}/${name} is not listed in docs/index.md`);

const rendered = pages.map((page) => {
  const result = render(page.text, { link: (target) => resolve_link(page, target) });
  page.title ??= result.title;
  return { page, ...result };
});
const order = sections.flatMap((section) => section.pages).filter((page) => !page.outside);
const search = [];
for (const { page, html, headings, sections: texts } of rendered) {
  const root = '../'.repeat(page.url.split('/').length - 1), at = order.indexOf(page);
  write(page.url, frame({ page, html, headings, sections, root, previous: at > 0 ? order[at - 1] : null, next: at >= 0 ? order[at + 1] : null }));
  for (const { heading, id, text } of texts) {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (heading || plain) search.push({ id: search.length, page: page.title, heading, url: page.url + (id && heading !== page.title ? `#${id}` : ''), text: plain.slice(0, 3000) });
  }
}
for (const [file, page] of code_pages) {
  const text = readFileSync(join(sources, file), 'utf8');
  const html = `<h1>${escape(file)}</h1>\n${code_block(text, languages[extname(file)] ?? 'text')}`;
  write(page.url, frame({ page, html, headings: [], sections, root: '../'.repeat(page.url.split('/').length - 1), previous: null, next: null }));
}
write('search-data.js', `window.search_data = ${JSON.stringify(search)};\n`);
for (const name of ['style.css', 'site.js', 'icon.svg']) copyFileSync(join(here, name), join(site, name));
copyFileSync(join(here, 'node_modules/minisearch/dist/umd/index.js'), join(site, 'minisearch.js'));
const katex = join(here, 'node_modules/katex/dist');
mkdirSync(join(site, 'katex/fonts'), { recursive: true });
copyFileSync(join(katex, 'katex.min.css'), join(site, 'katex/katex.min.css'));
for (const name of readdirSync(join(katex, 'fonts')).filter((font) => font.endsWith('.woff2'))) copyFileSync(join(katex, 'fonts', name), join(site, 'katex/fonts', name));
for (const problem of problems) console.error(problem);
console.log(`${rendered.length + code_pages.size} pages in ${site}`);
if (problems.length > 0) process.exit(1);
