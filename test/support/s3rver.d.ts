// What the tests use of s3rver, which has no types of its own.
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      directory: string;
      port: number;
      address: string;
      silent: boolean;
      configureBuckets: { name: string; configs: readonly string[] }[];
    });
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
