import { BlockList, isIP } from 'node:net';

/**
 * Everything that is not the public internet, by the special-purpose registries of IANA (RFC 6890 and what was added
 * since), and the metadata service of Azure, which has a public address.
 */
const notPublic4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3'],
];

/** Only 2000::/3 is public; of it not the forms that carry an IPv4 address (Teredo, 6to4), tests and documentation. */
const public6 = ['2000::/3'];
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** IPv4 written as IPv6: never connected to, also where the IPv4 range is listed, because lists compare them as equal. */
const mapped = ['::ffff:0:0/96'];

const ranges = {
  notPublic4: addressRanges(notPublic4),
  public6: addressRanges(public6),
  notPublic6: addressRanges(notPublic6),
  mapped: addressRanges(mapped),
};

/** True for an address of the public internet. False for text that is no address, and for one with a zone (`%eth0`). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !ranges.notPublic4.check(address, 'ipv4');
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return ranges.public6.check(address, 'ipv6') && !ranges.notPublic6.check(address, 'ipv6');
}

/** True if an address lies in one of the ranges; an IPv4 address that is written as IPv6 lies in none. */
export function isListedAddress(address: string, list: BlockList): boolean {
  const family = isIP(address);
  if (family === 4) return list.check(address, 'ipv4');
  return family === 6 && !address.includes('%') && !ranges.mapped.check(address, 'ipv6') && list.check(address, 'ipv6');
}

/** A list of ranges such as `10.0.0.0/8`, `fd00::/8`, or one address. Throws RangeError for what is none. */
export function addressRanges(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    const isRange = family !== 0 && rest.length === 0 && /^\d{1,3}$/u.test(bits ?? '0') && prefix <= most;
    if (!isRange || address.includes('%')) throw new RangeError(`${JSON.stringify(text)} is no range of addresses`);
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
