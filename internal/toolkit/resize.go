package toolkit

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"

	"github.com/kaoju/kaoju/internal/tool"
)

// ResizeImage is the name of the tool that makes a picture wider or narrower.
const ResizeImage = "resize_image"

// The schema says the shape alone: where a path leads, and whether a picture is there, is looked at
// when the tool runs.
const resizeSchema = `{
	"type": "object",
	"required": ["path", "width"],
	"properties": {
		"path": {"type": "string", "description": "A PNG, JPEG or GIF file, relative to the allowed folder."},
		"width": {"type": "integer", "minimum": 10, "maximum": 4096, "description": "Width of the new picture in pixels."}
	}
}`

// The bounds of a picture, before any of it is decoded.
const (
	maxImageBytes  = 64 << 20
	maxImagePixels = 40 << 20 // of the original, and of the result
	maxImageSide   = 32 << 10
)

// Resize writes a picture of another width beside the original, as NAME-WIDTH.EXT. It reads and
// writes below one folder alone, whatever a path or a link says.
type Resize struct{ root *os.Root }

// NewResize makes the tool for the files below a folder.
func NewResize(root *os.Root) *Resize { return &Resize{root} }

// Spec describes the tool.
func (r *Resize) Spec() tool.Spec {
	return tool.Spec{
		Name: ResizeImage, Description: "Writes a picture of the given width beside the original, as NAME-WIDTH.EXT.",
		Schema: json.RawMessage(resizeSchema), Sensitivity: tool.Write,
	}
}

// Call makes the picture. An earlier result of the same name is replaced as a whole.
func (r *Resize) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	var args struct {
		Path  string `json:"path"`
		Width int    `json:"width"`
	}
	if err := arguments(call.Args, &args); err != nil {
		return tool.Result{}, err
	}
	picture, format, err := r.open(args.Path)
	if err != nil {
		return tool.Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	size := picture.Bounds().Size()
	height := max(1, (size.Y*args.Width+size.X/2)/size.X)
	if height > maxImageSide || args.Width*height > maxImagePixels {
		return tool.Result{}, failure(tool.NotImage, "At this width the picture would be too large.")
	}
	scaled := image.NewRGBA(image.Rect(0, 0, args.Width, height))
	draw.CatmullRom.Scale(scaled, scaled.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	path := filepath.Clean(args.Path)
	ext := filepath.Ext(path)
	name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), args.Width, ext)
	if err := r.write(name, scaled, format); err != nil {
		return tool.Result{}, wrap(err, "write a picture")
	}
	content, err := json.Marshal(map[string]any{"path": filepath.ToSlash(name), "width": args.Width, "height": height, "format": format})
	return tool.Result{Content: content, Summary: map[string]any{"width": args.Width, "height": height}}, err
}

// formats are the formats by the endings of their files.
var formats = map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif"}

// open reads a picture. How large it is is known before anything of it is decoded.
func (r *Resize) open(path string) (image.Image, string, error) {
	raw, err := r.read(path)
	if err != nil {
		return nil, "", err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(raw))
	switch {
	case err != nil:
		return nil, "", failure(tool.NotImage, "The file is no PNG, JPEG or GIF picture.")
	case formats[strings.ToLower(filepath.Ext(path))] != format:
		return nil, "", failure(tool.NotImage, "The file's name and its content say different formats.")
	case config.Width < 1 || config.Height < 1 || config.Width > maxImageSide || config.Height > maxImageSide || config.Width*config.Height > maxImagePixels:
		return nil, "", failure(tool.NotImage, "The picture has too many pixels.")
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil || picture.Bounds().Dx() != config.Width || picture.Bounds().Dy() != config.Height {
		return nil, "", failure(tool.NotImage, "The picture is damaged.")
	}
	return picture, format, nil
}

// read reads a file below the folder.
func (r *Resize) read(path string) ([]byte, error) {
	if path != "" && !filepath.IsLocal(path) || strings.ContainsRune(path, 0) {
		return nil, outside()
	}
	info, err := r.root.Stat(filepath.Clean(path))
	if err != nil {
		return nil, placed(err)
	}
	// Whatever is no plain file could keep a reader waiting.
	if !info.Mode().IsRegular() || info.Size() > maxImageBytes {
		return nil, failure(tool.NotImage, "There is no picture of at most %d MiB at this path.", maxImageBytes>>20)
	}
	f, err := r.root.Open(filepath.Clean(path))
	if err != nil {
		return nil, placed(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxImageBytes))
	return raw, wrap(err, "read a picture")
}

func outside() error {
	return failure(tool.OutsideRoot, "The path does not lead to a file inside the allowed folder.")
}

// placed sorts the errors of looking for a file. What is neither absent nor forbidden is a path
// that leads out of the folder, by itself or through a link.
func placed(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return failure(tool.NotFound, "There is no such file in the allowed folder.")
	}
	return outside()
}

// write puts a picture in place as a whole or not at all. A link of that name is replaced, and not
// followed.
func (r *Resize) write(name string, picture image.Image, format string) (err error) {
	temp := filepath.Join(filepath.Dir(name), ".kaoju-"+strings.ToLower(rand.Text()))
	f, err := r.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = r.root.Remove(temp) // What failed before it is what is told.
		}
	}()
	switch format {
	case "png":
		err = png.Encode(f, picture)
	case "jpeg":
		err = jpeg.Encode(f, picture, &jpeg.Options{Quality: 90})
	default:
		err = gif.Encode(f, picture, nil)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return r.root.Rename(temp, name)
}
