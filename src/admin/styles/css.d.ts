/** Style sheets are imported for their effect: the build bundles them. */
declare module '*.css';
