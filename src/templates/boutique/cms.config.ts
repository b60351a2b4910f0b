// A small shop without a basket: things with pictures, sizes and prices, rooms they belong to, and an order form.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'Mosevad', baseUrl: 'https://mosevad.example', rss: { title: 'Mosevad: from the kiln', collections: ['things', 'journal'] } },
  collections: [
    {
      name: 'things',
      label: 'Shop',
      description: 'Stoneware, in numbers that two hands can make.',
      kind: 'page',
      urlPrefix: '/shop',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'price', type: 'number', label: 'Price in euro', min: 0, required: true },
        { name: 'stock', type: 'number', label: 'On the shelf', min: 0, defaultValue: 0 },
        { name: 'image', type: 'image', label: 'Picture', required: true },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 200 },
        { name: 'glaze', type: 'relation', label: 'Glaze', collection: 'glazes' },
        { name: 'size', type: 'text', label: 'Size' },
        { name: 'care', type: 'select', label: 'Care', multiple: true, options: ['Dishwasher', 'Oven', 'By hand'] },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Shelf' },
        { name: 'goesWith', type: 'relation', label: 'Goes with', collection: 'things', multiple: true },
      ],
    },
    {
      name: 'journal',
      label: 'Journal',
      description: 'Notes between two firings.',
      kind: 'page',
      urlPrefix: '/journal',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'image', type: 'image', label: 'Picture' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 200 },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'glazes',
      label: 'Glazes',
      kind: 'data',
      fields: [
        { name: 'name', type: 'text', required: true },
        { name: 'colour', type: 'text' },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 200 },
        { name: 'image', type: 'image', label: 'Picture' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
  ],
  forms: [
    {
      name: 'order',
      label: 'Order',
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true },
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'things', label: 'What, and how many', type: 'textarea', required: true },
        { name: 'wrap', label: 'Wrap it as a present', type: 'checkbox' },
      ],
      successMessage: 'Thank you. We write back with the total and the post before we pack anything.',
    },
  ],
});
