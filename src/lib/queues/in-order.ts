/** Runs one piece of work after another, in the order of the calls; a failure reaches only its own caller. */
export type InOrder = <R>(work: () => R | Promise<R>) => Promise<R>;

export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined); // the caller gets the error
    return done;
  };
}
