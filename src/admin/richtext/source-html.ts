// HTML with the styles and scripts in it: the largest of the languages, loaded by itself.
export { html } from '@codemirror/lang-html';
