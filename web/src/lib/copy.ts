// copy puts a text where the next paste takes it from. Browsers hand their clipboard to pages that came over TLS or
// from this machine alone; elsewhere the text is copied as a person would copy it.
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Behind a dialog nothing can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  const before = document.activeElement as HTMLElement | null
  place.append(area)
  try {
    area.select()
    if (!document.execCommand('copy')) throw new Error('nothing was copied')
  } finally {
    area.remove()
    before?.focus()
  }
}
