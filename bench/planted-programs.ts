import type { PlantedProgram } from './planted-program.ts';

export const plantedPrograms: readonly PlantedProgram[] = [
  {
    name: 'chunk',
    right: `export function subject(items, size) {
  const parts = [];
  for (let at = 0; at < items.length; at += size) {
    parts.push(items.slice(at, at + size));
  }
  return parts;
}`,
    bugs: [
      ['at += size', 'at += 1'],
      ['at + size', 'size'],
      ['at < items', 'at <= items'],
      ['let at = 0', 'let at = 1'],
    ],
    shown: [
      [[1, 2, 3, 4], 2],
      [[1, 2, 3], 2],
      [[], 3],
      [[7], 1],
      [[1, 2, 3, 4, 5, 6, 7], 3],
    ],
    hidden: [
      [[9, 8, 7, 6, 5], 4],
      [[1, 1, 2], 5],
      [['a', 'b', 'c', 'd'], 3],
    ],
  },
  {
    name: 'leap-year',
    right: `export function subject(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    bugs: [
      ['&& year % 100', '|| year % 100'],
      ['year % 100 !== 0', 'year % 100 === 0'],
      ['year % 400', 'year % 100'],
      ['% 4 ===', '/ 4 ==='],
    ],
    shown: [[2000], [1900], [2004], [2001], [2100], [2400], [1996]],
    hidden: [[1700], [1600], [2023], [1988], [800], [4]],
  },
  {
    name: 'run-length',
    right: `export function subject(text) {
  let result = '';
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === text[at + 1]) {
      count += 1;
    } else {
      result += text[at] + count;
      count = 1;
    }
  }
  return result;
}`,
    bugs: [
      ['text[at + 1]', 'text[at - 1]'],
      ['      count = 1', '      count = 0'],
      ['text[at] + count', 'count + text[at]'],
      ['count += 1', 'count = 1'],
    ],
    shown: [['aaabcc'], [''], ['abc'], ['zzzz'], ['aabbaa']],
    hidden: [['xxyx'], ['q'], ['mmmnnnmmm']],
  },
  {
    name: 'merge-intervals',
    right: `export function subject(spans) {
  const sorted = [...spans].sort((first, second) => first[0] - second[0]);
  const merged = [];
  for (const [start, end] of sorted) {
    const last = merged[merged.length - 1];
    if (last !== undefined && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      merged.push([start, end]);
    }
  }
  return merged;
}`,
    bugs: [
      ['start <= last[1]', 'start < last[1]'],
      ['Math.max(last[1], end)', 'end'],
      ['first[0] - second[0]', 'second[0] - first[0]'],
      ['start <= last[1]', 'start <= last[0]'],
    ],
    shown: [
      [
        [
          [1, 3],
          [2, 6],
          [8, 10],
        ],
      ],
      [
        [
          [1, 4],
          [4, 5],
        ],
      ],
      [[]],
      [
        [
          [5, 6],
          [1, 2],
        ],
      ],
      [
        [
          [1, 9],
          [2, 3],
          [8, 12],
        ],
      ],
    ],
    hidden: [
      [
        [
          [1, 10],
          [2, 3],
          [4, 5],
        ],
      ],
      [
        [
          [3, 4],
          [1, 3],
        ],
      ],
      [
        [
          [0, 1],
          [2, 3],
          [1, 2],
        ],
      ],
    ],
  },
  {
    name: 'luhn',
    right: `export function subject(digits) {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    let value = Number(digits[digits.length - 1 - at]);
    if (at % 2 === 1) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
  }
  return sum % 10 === 0;
}`,
    bugs: [
      ['at % 2 === 1', 'at % 2 === 0'],
      ['value > 9', 'value > 10'],
      ['value -= 9', 'value -= 10'],
      ['sum += value', 'sum += at'],
      ['sum % 10', 'sum / 10'],
    ],
    shown: [['4539578763621486'], ['8273123273520569'], ['059'], ['79927398713'], ['79927398710'], ['0']],
    hidden: [['4111111111111111'], ['1234567890123456'], ['55'], ['18'], ['26']],
  },
  {
    name: 'page',
    right: `export function subject(items, page, size) {
  const pages = Math.ceil(items.length / size);
  const current = Math.min(Math.max(page, 1), Math.max(pages, 1));
  const from = (current - 1) * size;
  return { current, pages, items: items.slice(from, from + size) };
}`,
    bugs: [
      ['Math.ceil', 'Math.floor'],
      ['current - 1', 'current'],
      ['Math.min(Math.max(page, 1)', 'Math.min(Math.max(page, 0)'],
      ['from + size)', 'from + page)'],
      ['Math.min(Math.max(page, 1), Math.max(pages, 1))', 'Math.max(page, 1)'],
    ],
    shown: [
      [[1, 2, 3, 4, 5], 1, 2],
      [[1, 2, 3, 4, 5], 3, 2],
      [[1, 2, 3, 4, 5], 9, 2],
      [[], 1, 5],
      [[1, 2, 3], 0, 3],
    ],
    hidden: [
      [[1, 2, 3, 4], 2, 2],
      [[1, 2, 3, 4, 5, 6, 7], 2, 3],
      [[1], -4, 1],
    ],
  },
  {
    name: 'group-by',
    right: `export function subject(rows, key) {
  const groups = {};
  for (const row of rows) {
    const name = row[key];
    if (!(name in groups)) groups[name] = [];
    groups[name].push(row);
  }
  return groups;
}`,
    bugs: [
      ['groups[name].push(row)', 'groups[name].push(name)'],
      ['!(name in groups)', 'name in groups'],
      ['row[key]', 'rows[key]'],
      ['push(row)', 'unshift(row)'],
    ],
    shown: [
      [[{ a: 1 }, { a: 2 }, { a: 1, b: 3 }], 'a'],
      [[], 'x'],
      [
        [
          { k: 'p', n: 1 },
          { k: 'p', n: 2 },
        ],
        'k',
      ],
    ],
    hidden: [
      [[{ a: 'z' }, { a: 'y' }, { a: 'z', c: 1 }], 'a'],
      [[{ n: 3 }], 'n'],
    ],
  },
  {
    name: 'version-compare',
    right: `export function subject(left, right) {
  const first = left.split('.').map(Number);
  const second = right.split('.').map(Number);
  const length = Math.max(first.length, second.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}`,
    bugs: [
      ['Math.max(first', 'Math.min(first'],
      ['(first[at] ?? 0) - (second[at] ?? 0)', '(second[at] ?? 0) - (first[at] ?? 0)'],
      ['second[at] ?? 0', 'second[at] ?? 1'],
      ['difference !== 0', 'difference > 0'],
    ],
    shown: [
      ['1.2.3', '1.2.4'],
      ['1.10', '1.9'],
      ['2', '2.0.0'],
      ['2.0.1', '2'],
      ['1.0', '1.0'],
    ],
    hidden: [
      ['1.2', '1.2.1'],
      ['0.9.9', '1.0'],
      ['3.1', '3.1.0.0.2'],
    ],
  },
  {
    name: 'rotate',
    right: `export function subject(grid) {
  const height = grid.length;
  const width = height === 0 ? 0 : grid[0].length;
  const turned = [];
  for (let column = 0; column < width; column += 1) {
    const line = [];
    for (let row = height - 1; row >= 0; row -= 1) {
      line.push(grid[row][column]);
    }
    turned.push(line);
  }
  return turned;
}`,
    bugs: [
      ['row = height - 1', 'row = height'],
      ['row >= 0', 'row > 0'],
      ['grid[row][column]', 'grid[column][row]'],
      ['column < width', 'column < height'],
      ['line.push', 'line.unshift'],
    ],
    shown: [
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
      [[]],
      [[[1], [2], [3]]],
    ],
    hidden: [
      [[[1, 2, 3, 4]]],
      [
        [
          [1, 2],
          [3, 4],
          [5, 6],
          [7, 8],
        ],
      ],
    ],
  },
  {
    name: 'tree-depth',
    right: `export function subject(tree) {
  if (tree === null) return 0;
  return 1 + Math.max(subject(tree.left), subject(tree.right));
}`,
    bugs: [
      ['Math.max', 'Math.min'],
      ['subject(tree.right)', 'subject(tree.left)'],
      ['return 0', 'return 1'],
      ['1 + Math', '2 + Math'],
    ],
    shown: [
      [null],
      [{ left: null, right: null }],
      [{ left: { left: null, right: null }, right: null }],
      [{ left: null, right: { left: null, right: { left: null, right: null } } }],
    ],
    hidden: [[{ left: { left: null, right: { left: null, right: null } }, right: { left: null, right: null } }]],
  },
  {
    name: 'shopping-total',
    right: `export function subject(lines, coupon) {
  const sum = lines.reduce((total, line) => total + line.price * line.count, 0);
  const discount = coupon === null ? 0 : Math.min(coupon.amount, sum);
  const shipping = sum >= 50 ? 0 : 5;
  return sum - discount + shipping;
}`,
    bugs: [
      ['sum >= 50', 'sum > 50'],
      ['line.price * line.count', 'line.price + line.count'],
      ['Math.min(coupon', 'Math.max(coupon'],
      ['sum - discount + shipping', 'sum - discount - shipping'],
      ['sum >= 50', 'discount >= 50'],
    ],
    shown: [
      [[{ price: 10, count: 2 }], null],
      [[{ price: 25, count: 2 }], null],
      [
        [
          { price: 3, count: 1 },
          { price: 60, count: 1 },
        ],
        { amount: 10 },
      ],
      [[{ price: 4, count: 2 }], { amount: 20 }],
      [[], null],
    ],
    hidden: [
      [[{ price: 49, count: 1 }], null],
      [[{ price: 30, count: 3 }], { amount: 100 }],
      [[{ price: 1, count: 50 }], { amount: 1 }],
    ],
  },
  {
    name: 'words',
    right: `export function subject(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : line + ' ' + word;
  }
  lines.push(line);
  return lines;
}`,
    bugs: [
      ['> width', '>= width'],
      ['line.length + 1 + word', 'line.length + word'],
      ["      line = '';\n", ''],
      ["line + ' ' + word", "word + ' ' + line"],
      ['  lines.push(line);\n  return', '  return'],
    ],
    shown: [
      ['a bb ccc', 4],
      ['one two three four', 9],
      ['', 5],
      ['longword x', 3],
      ['aa bb cc dd', 5],
    ],
    hidden: [
      ['the quick brown fox', 10],
      ['a b c d e', 3],
      ['ab cd', 5],
    ],
  },
];
