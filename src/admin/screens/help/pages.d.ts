/** The pages in their order: a part of the build that reads Markdown (`src/admin-files/help.ts`). */
declare module 'colophon:help' {
  const pages: readonly import('./help-page.ts').HelpPage[];
  export default pages;
}
