// The anchor of a heading, as code-hosting sites make it; `taken` are those the page has already.
export function slug(heading, taken = new Set()) {
  const text = heading.replace(/<[^>]*>/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').toLowerCase().trim();
  const base = text.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replace(/ /g, '-');
  let name = base;
  for (let k = 1; taken.has(name); ++k) name = `${base}-${k}`;
  return name;
}
