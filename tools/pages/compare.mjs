// Compares what a page shows with what a command printed. "…" stands for anything inside a line; alone on a line, for any number of
// lines. Spaces count as one. Numbers may differ by a hundredth, since other compilers and processors round differently.
const number = /[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const tidy = (line) => line.replace(/\s+/g, ' ').trim();
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function same_number(a, b) {
  const [x, y] = [Number(a), Number(b)];
  return Math.abs(x - y) <= 0.01 * Math.max(Math.abs(x), Math.abs(y)) || Math.max(Math.abs(x), Math.abs(y)) < 1e-12;
}

export function same_line(shown, printed) {
  const expected = [];
  let pattern = '', last = 0;
  const text = tidy(shown);
  for (const found of text.matchAll(/…|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g)) {
    pattern += escape(text.slice(last, found.index));
    last = found.index + found[0].length;
    if (found[0] === '…') pattern += '.*?';
    else {
      pattern += `(${number.source})`;
      expected.push(found[0]);
    }
  }
  const match = new RegExp(`^${pattern}${escape(text.slice(last))}$`).exec(tidy(printed));
  return match !== null && expected.every((value, k) => same_number(value, match[k + 1]));
}

// The first line of `shown` that finds no counterpart, as an index; -1 when all agree.
export function first_difference(shown, printed) {
  let furthest = 0;
  const known = new Set();
  const agree = (i, j) => {
    furthest = Math.max(furthest, i);
    if (i === shown.length) return j === printed.length;
    if (known.has(i * 1e6 + j)) return false;
    known.add(i * 1e6 + j);
    if (shown[i].trim() === '…') return agree(i + 1, j) || (j < printed.length && agree(i, j + 1));
    return j < printed.length && same_line(shown[i], printed[j]) && agree(i + 1, j + 1);
  };
  return agree(0, 0) ? -1 : Math.min(furthest, shown.length - 1);
}
