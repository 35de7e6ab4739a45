/** Sets fault switches of a part of the embedded stack. `null` clears them. */
export async function setFaults(url: string, switches: object | null): Promise<void> {
  const response = await fetch(`${url}/_faults`, {
    method: switches === null ? 'DELETE' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(switches === null ? {} : { body: JSON.stringify(switches) }),
  });
  if (!response.ok) throw new Error(`${url}/_faults: ${response.status} ${await response.text()}`);
}
