"""Starts and stops everything `make run` needs: servers from wheels, workers, beat, the web server."""
