// Markdown to HTML: highlighted code, consoles, formulas, tables that scroll, headings with anchors.
import hljs from 'highlight.js';
import katex from 'katex';
import markdown_it_katex from '@vscode/markdown-it-katex';
import markdown_it from 'markdown-it';
import { slug } from '../pages/slug.mjs';

export const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const languages = { toml: 'ini', sh: 'bash', cpp: 'cpp', cmake: 'cmake', python: 'python', matlab: 'matlab', json: 'json', csv: null };

export function code_block(text, language) {
  if (language === 'math') return `<div class="formula">${katex.renderToString(text, { displayMode: true, throwOnError: true })}</div>\n`;
  let inside = escape(text), copied = text;
  if (language === 'console') {
    inside = text.split('\n').map((line, k, lines) => {
      const goes_on = k > 0 && lines[k - 1].endsWith('\\') && line.startsWith('> ');
      if (line.startsWith('$ ') || goes_on) return `<span class="prompt">${line[0]} </span><span class="command">${escape(line.slice(2))}</span>`.replace('>&gt; ', '>&gt; ');
      return `<span class="printed">${escape(line)}</span>`;
    }).join('\n');
    copied = text.split('\n').filter((line) => /^[$>] /.test(line)).map((line) => line.slice(2)).join('\n');
  } else if (languages[language]) inside = hljs.highlight(text, { language: languages[language] }).value;
  const copy = language === 'text' || language === '' ? '' : `<button class="copy" data-text="${escape(copied.trimEnd())}" title="Copy">copy</button>`;
  return `<div class="code ${language}">${copy}<pre><code>${inside}</code></pre></div>\n`;
}

const plain = (children) => children.map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('');

// Symbols in running text: v_e and δ^(3/2) get their places. Words of program text are in backquotes and stay.
function with_scripts(html) {
  return html
    .replace(/∫_([\p{L}\d])\^([\p{L}\d∞])/gu, '∫<sub>$1</sub><sup>$2</sup>')
    .replace(/(?<![\p{L}\d_])([\p{L}][\u0300-\u036f′]?|\))_(\p{L}[\p{L}\d]{0,7}|\d+)(?![\p{L}\d_])/gu, '$1<sub>$2</sub>')
    .replace(/\^\(([^()]{1,8})\)/g, '<sup>$1</sup>')
    .replace(/(?<=[\p{L}\d)*])\^([−-]?\d+(?:\.\d+)?|[a-z](?![\p{L}]))/gu, '<sup>$1</sup>');
}

// { html, title, headings: [{level, text, id}], sections: [{heading, id, text}] }. `link` turns the target of a link or picture into
// another.
export function render(source, { link }) {
  const md = markdown_it({ html: true }).use(markdown_it_katex.default, { throwOnError: true });
  const headings = [], sections = [{ heading: '', id: '', text: '' }], taken = new Set();
  md.renderer.rules.fence = (tokens, k) => {
    return code_block(tokens[k].content, tokens[k].info.trim());
  };
  md.renderer.rules.code_block = (tokens, k) => code_block(tokens[k].content, 'text');
  md.renderer.rules.table_open = () => '<div class="table"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  md.renderer.rules.text = (tokens, k) => with_scripts(escape(tokens[k].content));
  // Comments tell the tests what a block is; readers need none of it.
  const html_block = md.renderer.rules.html_block ?? ((tokens, k) => tokens[k].content);
  md.renderer.rules.html_block = (tokens, k, ...rest) => html_block(tokens, k, ...rest).replace(/<!--[^]*?-->\n?/g, '');

  const tokens = md.parse(source, {});
  for (const [k, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plain(tokens[k + 1].children);
      const id = slug(tokens[k + 1].content, taken);
      taken.add(id);
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag[1]), text, id });
    }
    for (const child of token.children ?? []) {
      for (const name of ['href', 'src']) if (child.attrGet(name) !== null) child.attrSet(name, link(child.attrGet(name)));
      if (child.type === 'image') child.attrSet('loading', 'lazy');
    }
  }
  for (const [k, token] of tokens.entries()) {
    if (token.type === 'heading_open') sections.push({ heading: plain(tokens[k + 1].children), id: token.attrGet('id'), text: '' });
    else if (token.type === 'inline' && tokens[k - 1]?.type !== 'heading_open') sections.at(-1).text += ` ${plain(token.children)}`;
    else if (token.type === 'fence' && token.info.trim() !== 'math') sections.at(-1).text += ` ${token.content}`;
  }
  const html = md.renderer.render(tokens, md.options, {}).replace(/<td>(?=[-−+]?[\d.]+(?:e[-+]?\d+)?<\/td>)/g, '<td class="number">');
  return { html, title: headings[0]?.text ?? '', headings, sections };
}
