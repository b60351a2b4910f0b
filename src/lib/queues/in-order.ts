/** Runs one piece of work after another, in the order in which it was asked; one that fails concerns only who asked. */
export type InOrder = <R>(work: () => R | Promise<R>) => Promise<R>;

export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined); // the caller has it
    return done;
  };
}
