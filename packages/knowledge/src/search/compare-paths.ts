/** The order in which a walk comes by: by name, folder by folder. Below 0 when the first one comes before. */
export function comparePaths(first: string, second: string): number {
  const [one, other] = [first.split('/'), second.split('/')];
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const [name = '', against = ''] = [one[index], other[index]];
    if (name !== against) return name < against ? -1 : 1;
  }
  return one.length - other.length;
}
