// What is dropped or chosen may be a folder: its files are taken with their paths from it, so that two
// of one name in two folders stay two documents.

// Named is a file with the name that it is taken in under: for one of a folder, its path from there.
export interface Named { name: string; file: File }

// passedOver reports whether a path leads through a name that begins with a dot, as those do that
// programs keep for themselves.
export const passedOver = (path: string) => path.split('/').some((part) => part.startsWith('.'))

// chosen are the files that somebody chose in a dialog, of single files or of a folder.
export function chosen(files: FileList | null): Named[] {
  return [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }))
    .filter((x) => !(x.file.webkitRelativePath && passedOver(x.name)))
}

// dropped are the files that somebody let go over the page. What was carried has to be looked at
// before the event is over; the folders are read after it.
export function dropped(carried: DataTransfer): Promise<Named[]> {
  const entries = [...carried.items].filter((i) => i.kind === 'file').map((i) => ({ entry: i.webkitGetAsEntry?.() ?? null, file: i.getAsFile() }))
  return Promise.all(entries.map(({ entry, file }) => (entry?.isDirectory ? within(entry as FileSystemDirectoryEntry) : Promise.resolve(file ? [{ name: file.name, file }] : [])))).then((all) => all.flat())
}

async function within(folder: FileSystemDirectoryEntry): Promise<Named[]> {
  const reader = folder.createReader()
  const found: Named[] = []
  for (;;) {
    // The browser gives a folder in parts, and an empty one at its end.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) break
    for (const e of some) {
      if (e.name.startsWith('.')) continue
      if (e.isDirectory) found.push(...await within(e as FileSystemDirectoryEntry))
      else found.push({ name: e.fullPath.replace(/^\//, ''), file: await new Promise<File>((done, fail) => (e as FileSystemFileEntry).file(done, fail)) })
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}
