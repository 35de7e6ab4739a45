import type { Drawing } from '../images/check-drawn';

/** The drawing code, from the file next to this one that needs the canvas, or why it cannot run. */
export async function loadDrawing(): Promise<Drawing> {
  try {
    const { openDrawing } = await import('../redraw');
    return { ok: true, ...openDrawing() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      why: `the image cannot be drawn here. Install the package of the verifier, and beside it the packages that its README.md names. (${why})`,
    };
  }
}
