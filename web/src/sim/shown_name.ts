// SPDX-License-Identifier: Apache-2.0
// What the page calls what a body is made of. Most bodies are what their file has; a domain that came off a tree is a part of
// it, and domains of a tree can be replaced.

/** The name of the file; behind it the domain that came off (empty: none), and parts by the names of the domains that they are in. */
export function shownName(file: string, subtree: string, parts: Record<string, string>): string {
  const others = [...(subtree ? [subtree] : []), ...Object.entries(parts).map(([domain, part]) => `${domain} = ${part}`)];
  return others.length > 0 ? `${file} > ${others.join(', ')}` : file;
}

/** The other way round, the file alone. */
export function fileOfShown(name: string): string {
  return name.split(' > ')[0];
}
