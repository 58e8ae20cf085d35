// Package demo holds the demonstration: two fictional companies with their people, knowledge
// bases and documents, and the seeding that fills an empty store with them.
//
// Everything goes in through the seams that every other upload uses, as the person who has the
// right: nothing of the demonstration is written past the rules it is there to show. Ids, rights
// and the facts that the documentation speaks of are fixed, and the tests of this package hold
// them.
package demo

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/examples"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// What is not among the examples: earlier and later versions, documents for a few, another company.
//
//go:embed files
var files embed.FS

// The tenants, the group and the knowledge bases of the demonstration.
const (
	Acme   access.TenantID = "acme"
	Globex access.TenantID = "globex"

	RD access.GroupID = "rd"

	Policies access.KnowledgeBaseID = "kb-policies"
	Research access.KnowledgeBaseID = "kb-rd"
	Support  access.KnowledgeBaseID = "kb-support"
	Office   access.KnowledgeBaseID = "kb-globex"
)

// Tenant is a company of the demonstration.
type Tenant struct {
	ID     access.TenantID
	Name   string
	Groups []Group
}

// Group is a group with its members.
type Group struct {
	ID      access.GroupID
	Members []access.Principal
}

// Person is a user of the demonstration.
type Person struct {
	Tenant access.TenantID
	ID     access.UserID
	Name   string
	Roles  []access.Role
}

// Base is a knowledge base with its grants. Manager is the person whose uploads fill it.
type Base struct {
	Tenant     access.TenantID
	ID         access.KnowledgeBaseID
	Name       string
	Publishing access.Publishing
	Manager    access.UserID
	Grants     []access.Grant
}

// Document is one version of a document. Status is the one it has when everything is in:
// a version is uploaded as published unless that is draft, and archived by its successor. File is
// the path of its original below the examples of Acme or, with "files/" in front, here.
type Document struct {
	Tenant  access.TenantID
	ID      corpus.DocumentID
	Base    access.KnowledgeBaseID
	Key     corpus.Key
	Title   string
	Version int
	Status  access.Status
	File    string
	Policy  access.Policy
}

// Original returns the bytes of the document's file.
func (d Document) Original() ([]byte, error) {
	if strings.HasPrefix(d.File, "files/") {
		return files.ReadFile(d.File)
	}
	return fs.ReadFile(examples.Acme(), d.File)
}

// Tenants returns the companies.
func Tenants() []Tenant {
	return []Tenant{
		{ID: Acme, Name: "Acme 仪器", Groups: []Group{{ID: RD, Members: []access.Principal{access.User("bob")}}}},
		{ID: Globex, Name: "Globex"},
	}
}

// People returns the users, in the order in which their tokens are printed.
func People() []Person {
	return []Person{
		{Acme, "alice", "Alice", []access.Role{access.Member}},
		{Acme, "bob", "Bob", []access.Role{access.Member}},
		{Acme, "carol", "Carol", []access.Role{access.Member, access.KnowledgeAdmin}},
		{Acme, "dave", "Dave", []access.Role{access.Member, access.Auditor}},
		{Globex, "erin", "Erin", []access.Role{access.Member}},
	}
}

// Bases returns the knowledge bases.
func Bases() []Base {
	everyone := access.Grant{Principal: access.Everyone, Level: access.Reader}
	manages := func(user access.UserID) access.Grant {
		return access.Grant{Principal: access.User(user), Level: access.Manager}
	}
	return []Base{
		{Acme, Policies, "公司制度 Policies", access.ByProposal, "carol", []access.Grant{everyone, manages("carol")}},
		{Acme, Research, "研发 Research and development", access.ByProposal, "bob",
			[]access.Grant{{Principal: access.Group(RD), Level: access.Reader}, manages("bob")}},
		{Acme, Support, "售后与支持 Support", access.Directly, "carol", []access.Grant{everyone, manages("carol")}},
		{Globex, Office, "Globex office", access.ByProposal, "erin", []access.Grant{everyone, manages("erin")}},
	}
}

// Documents returns every version in the order in which they go in: an older version of a key
// before a newer one.
func Documents() []Document {
	return slices.Concat(policies(), research(), support(), office())
}

func policies() []Document {
	in := func(id, key, title, file string) Document { return published(Acme, Policies, id, key, title, file) }
	travel := func(id, file string, version int, status access.Status) Document {
		d := in(id, "travel-policy", "差旅管理制度", file)
		d.Version, d.Status = version, status
		return d
	}
	audit := in("doc-travel-audit-v1", "travel-audit", "差旅稽核抽查要点", "files/policies/travel-audit.md")
	audit.Policy = access.Policy{Restricted: true, Allow: []access.Principal{access.User("carol")}}
	return []Document{
		travel("doc-travel-v1", "files/policies/travel-policy-v1.md", 1, access.StatusArchived),
		travel("doc-travel-v2", "policies/travel-policy.md", 2, access.StatusPublished),
		travel("doc-travel-v3", "files/policies/travel-policy-v3.md", 3, access.StatusDraft),
		audit,
		in("doc-remote-work-v1", "remote-work", "Remote Work Policy", "policies/remote-work.md"),
		in("doc-expenses-faq-v1", "expenses-faq", "报销常见问题", "policies/expenses-faq.md"),
		in("doc-procurement-v1", "procurement", "采购管理办法", "policies/procurement.md"),
		in("doc-information-security-v1", "information-security", "Information Security Guide", "policies/information-security.md"),
		in("doc-onboarding-v1", "onboarding", "Onboarding Guide", "policies/onboarding.txt"),
		in("doc-release-checklist-v1", "release-checklist", "固件与云平台发布检查表", "policies/release-checklist.md"),
	}
}

func research() []Document {
	in := func(id, key, title, file string) Document { return published(Acme, Research, id, key, title, file) }
	return []Document{
		in("doc-rd-handbook-v1", "rd-handbook", "研发手册", "files/rd/handbook.md"),
		in("doc-rd-bench-log-v1", "rd-bench-log", "样机测试记录", "files/rd/bench-log.csv"),
	}
}

func support() []Document {
	in := func(id, key, title, file string) Document { return published(Acme, Support, id, key, title, file) }
	return []Document{
		in("doc-after-sales-v1", "after-sales", "售后服务政策", "support/after-sales.md"),
		in("doc-warranty-terms-v1", "warranty-terms", "International Warranty Terms", "support/warranty-terms.md"),
		in("doc-error-codes-v1", "error-codes", "错误码速查", "support/error-codes.txt"),
		in("doc-price-sheet-v1", "price-sheet", "价目表", "support/price-sheet.csv"),
		in("doc-spare-parts-v1", "spare-parts", "备件价目 Spare parts", "support/spare-parts.xlsx"),
		in("doc-support-page-v1", "support-page", "联系支持与下载", "support/support-page.html"),
		in("doc-service-centre-plan-v1", "service-centre-plan", "售后服务中心平面图", "support/service-centre-plan.dxf"),
	}
}

func office() []Document {
	in := func(id, key, title, file string) Document { return published(Globex, Office, id, key, title, file) }
	return []Document{
		in("doc-globex-travel-v1", "travel-policy", "Globex Travel Policy", "files/globex/travel-policy.md"),
		in("doc-globex-office-v1", "office-guide", "Globex Office Guide", "files/globex/office-guide.txt"),
	}
}

// published describes the first and published version of a document.
func published(tenant access.TenantID, base access.KnowledgeBaseID, id, key, title, file string) Document {
	return Document{
		Tenant: tenant, ID: corpus.DocumentID(id), Base: base, Key: corpus.Key(key), Title: title,
		Version: 1, Status: access.StatusPublished, File: file,
	}
}
