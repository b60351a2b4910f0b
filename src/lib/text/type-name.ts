/** `blog-posts` as `BlogPosts`, `/api/cms/{collection}` as `ApiCmsCollection`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

/** The name, with the first number behind it that makes it free. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}${number}`)) number++;
  return `${name}${number}`;
}
