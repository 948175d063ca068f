#!/usr/bin/env node
// Checks a built site: every link and picture leads to a file, every anchor to an element, and nothing is fetched from elsewhere.
//   node tools/site/check.mjs SITE_FOLDER
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const site = resolve(process.argv[2]);
const problems = [];
const ids_of = new Map();

function ids(file) {
  if (!ids_of.has(file)) ids_of.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/\s(?:id|name)="([^"]+)"/g)].map((found) => found[1])));
  return ids_of.get(file);
}

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.html') ? [path] : [];
  });
}

const pages = files(site);
let links = 0;
for (const page of pages) {
  const text = readFileSync(page, 'utf8').replace(/<(pre|script)[^]*?<\/\1>/g, '');
  for (const [, name, raw] of text.matchAll(/\s(href|src)="([^"]*)"/g)) {
    ++links;
    const target = decodeURI(raw.replace(/&amp;/g, '&'));
    if (/^(https?|mailto):/.test(target)) {
      if (name === 'src' || /<link[^>]*href="https?:/.test(text)) problems.push(`${relative(site, page)}: fetches ${target}`);
      continue;
    }
    if (target.startsWith('javascript:') || target === '#' || target === '') continue;
    const [path, anchor] = target.split('#');
    const file = path === '' ? page : resolve(dirname(page), path);
    if (!existsSync(file)) problems.push(`${relative(site, page)}: ${target} leads nowhere`);
    else if (anchor && file.endsWith('.html') && !ids(file).has(anchor)) problems.push(`${relative(site, page)}: ${path} has no #${anchor}`);
  }
}
for (const problem of problems.slice(0, 50)) console.error(problem);
console.log(`${pages.length} pages, ${links} links, ${problems.length} of them broken`);
process.exit(problems.length === 0 ? 0 : 1);
