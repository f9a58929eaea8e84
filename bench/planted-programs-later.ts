import type { PlantedProgram } from './planted-program.ts';

/** Written after the operators were last changed, so that the first result on them was one on unseen bugs. */
export const plantedProgramsLater: readonly PlantedProgram[] = [
  {
    name: 'median',
    right: `export function subject(values) {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}`,
    bugs: [
      ['sorted[middle - 1] +', 'sorted[middle] +'],
      ['% 2 === 1', '% 2 === 0'],
      ['length / 2)', 'length / 3)'],
      ['return sorted[middle]', 'return values[middle]'],
      [') / 2;', ') * 2;'],
    ],
    shown: [[[3, 1, 2]], [[4, 1, 3, 2]], [[7]], [[10, 2]], [[5, 3, 9, 1, 7]]],
    hidden: [[[8, 6, 7, 5, 3, 0]], [[1, 1, 2, 2]], [[-5, 5, 0]]],
  },
  {
    name: 'caesar',
    right: `export function subject(text, shift) {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  let result = '';
  for (const letter of text) {
    const at = letters.indexOf(letter);
    if (at === -1) {
      result += letter;
    } else {
      result += letters[(at + shift + letters.length) % letters.length];
    }
  }
  return result;
}`,
    bugs: [
      ['at === -1', 'at === 0'],
      ['at + shift + letters', 'at - shift + letters'],
      ['% letters.length', '% text.length'],
      ['result += letter;', 'result = letter;'],
      ['indexOf(letter)', 'indexOf(text)'],
    ],
    shown: [
      ['abc', 1],
      ['xyz', 3],
      ['hello, world', 5],
      ['khoor', -3],
      ['', 4],
    ],
    hidden: [
      ['a-z', 25],
      ['zebra', 1],
      ['nop', -13],
    ],
  },
  {
    name: 'roman',
    right: `const SIGNS = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
export function subject(number) {
  let rest = number;
  let text = '';
  for (const [value, sign] of SIGNS) {
    while (rest >= value) {
      text += sign;
      rest -= value;
    }
  }
  return text;
}`,
    bugs: [
      ['rest >= value', 'rest > value'],
      ['rest -= value', 'rest -= 1'],
      ['text += sign', 'text = sign'],
      ['[9, ', '[8, '],
      ['while (rest', 'if (rest'],
    ],
    shown: [[1], [4], [9], [14], [27], [39]],
    hidden: [[3], [8], [18], [30]],
  },
  {
    name: 'flatten-keys',
    right: `export function subject(value, prefix = '') {
  const result = {};
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix === '' ? key : prefix + '.' + key;
    if (typeof inner === 'object' && inner !== null) {
      Object.assign(result, subject(inner, path));
    } else {
      result[path] = inner;
    }
  }
  return result;
}`,
    bugs: [
      ['subject(inner, path)', 'subject(inner, key)'],
      ['result[path] = inner', 'result[key] = inner'],
      ['&& inner !== null', ''],
      ["prefix === '' ?", "prefix !== '' ?"],
      ['subject(inner, path)', 'subject(inner)'],
    ],
    shown: [[{ a: 1 }], [{ a: { b: 2, c: { d: 3 } } }], [{ x: null, y: { z: 'q' } }], [{}]],
    hidden: [[{ m: { n: { o: { p: 1 } }, q: null } }], [{ a: { a: { a: 0 } }, b: 1 }]],
  },
  {
    name: 'change',
    right: `export function subject(amount, coins) {
  const best = [0];
  for (let sum = 1; sum <= amount; sum += 1) {
    best[sum] = Infinity;
    for (const coin of coins) {
      if (coin <= sum) best[sum] = Math.min(best[sum], best[sum - coin] + 1);
    }
  }
  return best[amount] === Infinity ? -1 : best[amount];
}`,
    bugs: [
      ['coin <= sum', 'coin < sum'],
      ['best[sum - coin] + 1', 'best[sum - 1] + 1'],
      ['sum <= amount', 'sum < amount'],
      ['Math.min', 'Math.max'],
      ['=== Infinity ? -1', '=== Infinity ? 0'],
    ],
    shown: [
      [11, [1, 2, 5]],
      [3, [2]],
      [0, [1]],
      [6, [1, 3, 4]],
      [7, [5, 2]],
    ],
    hidden: [
      [10, [3, 7]],
      [12, [1, 6, 10]],
      [5, [4]],
    ],
  },
  {
    name: 'spiral',
    right: `export function subject(grid) {
  const result = [];
  let [top, bottom, left, right] = [0, grid.length - 1, 0, (grid[0] ?? []).length - 1];
  while (top <= bottom && left <= right) {
    for (let x = left; x <= right; x += 1) result.push(grid[top][x]);
    top += 1;
    for (let y = top; y <= bottom; y += 1) result.push(grid[y][right]);
    right -= 1;
    if (top <= bottom) for (let x = right; x >= left; x -= 1) result.push(grid[bottom][x]);
    bottom -= 1;
    if (left <= right) for (let y = bottom; y >= top; y -= 1) result.push(grid[y][left]);
    left += 1;
  }
  return result;
}`,
    bugs: [
      ['grid[y][right]', 'grid[y][left]'],
      ['y >= top', 'y > top'],
      ['bottom -= 1', 'bottom += 1'],
      ['if (left <= right) for', 'for'],
      ['let y = top;', 'let y = left;'],
    ],
    shown: [
      [
        [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
        ],
      ],
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [[]],
      [[[1], [2], [3]]],
      [
        [
          [1, 2, 3, 4],
          [5, 6, 7, 8],
        ],
      ],
    ],
    hidden: [
      [
        [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
          [10, 11, 12],
        ],
      ],
      [[[1, 2, 3]]],
    ],
  },
];
