// One person who can be hired: what they do, what it costs, what others say, when they are free, and notes.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'Sam Okafor', baseUrl: 'https://okafor.example', rss: { title: 'Notes by Sam Okafor', collections: ['notes'] } },
  collections: [
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 240 },
        { name: 'free', type: 'date', label: 'Free from' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'services',
      label: 'Services',
      kind: 'page',
      urlPrefix: '/services',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'price', type: 'text', label: 'Price' },
        { name: 'days', type: 'text', label: 'How long' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'notes',
      label: 'Notes',
      description: 'Things I had to explain twice.',
      kind: 'page',
      urlPrefix: '/notes',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'voices',
      label: 'Voices',
      kind: 'data',
      fields: [
        { name: 'title', type: 'text', label: 'Who', required: true },
        { name: 'words', type: 'textarea', label: 'Words', required: true },
      ],
    },
  ],
  forms: [
    {
      name: 'hire',
      label: 'Ask me',
      fields: [
        { name: 'email', label: 'Your e-mail', type: 'email', required: true },
        { name: 'when', label: 'When does it have to be done?', type: 'text' },
        { name: 'message', label: 'What is it?', type: 'textarea', required: true },
      ],
      successMessage: 'Thank you. You will hear from me tomorrow before noon.',
    },
  ],
});
