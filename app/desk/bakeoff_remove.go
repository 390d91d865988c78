package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/engine/bakeoff"
	"assay/engine/store"
)

// DeleteBakeoff removes the data of the bake-off whose id begins with prefix, its trials and the records of their runs, and
// returns its id. What it led to stays: the changelog keeps its verdicts, and says from then on that their data were removed.
// Unless confirmed, it only says what would go, in an error that wraps [ErrUnconfirmed].
func (d *Desk) DeleteBakeoff(prefix string, confirmed bool) (id string, err error) {
	if id, err = d.findBakeoff(prefix); err != nil {
		return "", err
	}
	if who, held := store.LeaseHolder(d.bakeoffPath(id)); held {
		return id, fmt.Errorf("bake-off %s is being worked on (%s): stop it first", id, who)
	}
	if !confirmed {
		log, err := d.verdictLog()
		if err != nil {
			return id, err
		}
		stay := "it led to no verdict"
		if log.Judged(id) {
			stay = "its verdicts stay in the changelog, with the word that their data were removed"
		}
		return id, fmt.Errorf("the trials of bake-off %s and the records of their runs would be deleted; %s: %w", id, stay, ErrUnconfirmed)
	}
	release, err := d.store.Guard(bakeoffFolder(id))
	if err != nil {
		return id, err
	}
	err = d.removeBakeoff(id)
	release()
	if err == nil {
		err = os.RemoveAll(d.bakeoffPath(id)) // with the lock, which is open until then
	}
	if err != nil {
		return id, store.Fault("delete the bake-off "+id, d.bakeoffPath(id), err)
	}
	return id, nil
}

// removeBakeoff tells the changelog and removes the files, those last by which it is listed: cut short, it can be done again.
func (d *Desk) removeBakeoff(id string) error {
	err := d.changeLog(func(log bakeoff.Log) (bakeoff.Log, error) {
		if _, gone := log.Removed(id); gone || !log.Judged(id) {
			return log, nil
		}
		log, _, err := log.Remove(time.Now().UTC().Format(time.RFC3339), id)
		return log, err
	})
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(d.bakeoffPath(id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() == "lock" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(d.bakeoffPath(id), e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(d.bakeoffFile(id))
}
