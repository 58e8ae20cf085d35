package wiring

import (
	"context"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/internal/access"
)

// Deliver makes what brings files into a knowledge base of the folder.
func (s *Product) Deliver(actor access.Actor, kb access.KnowledgeBaseID, publish bool) *delivery.Delivery {
	return &delivery.Delivery{
		Base:    delivery.Folder{Desk: s.Desk, Intake: s.Intake, Actor: actor, KB: kb, Publish: publish},
		Publish: publish,
	}
}

// Working works on jobs while something waits for them. A server on the same folder may take some of the
// jobs; their states tell.
func (s *Product) Working(ctx context.Context, body func() error) error {
	work, stop := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.Worker.Run(work, s.Workers)
	}()
	defer func() { stop(); <-stopped }()
	return body()
}
