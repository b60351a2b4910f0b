const { CMS_URL = 'http://127.0.0.1:3010', CMS_TOKEN = '' } = process.env;

/** The body of an answer of the API; undefined if there is no such document. */
export async function read(path: string) {
  const answer = await fetch(new URL(path, CMS_URL), { headers: { authorization: `Bearer ${CMS_TOKEN}` } });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
