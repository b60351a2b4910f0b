export async function openSiteTheme(_: unknown): Promise<never> {
  throw new Error('no theme yet');
}
