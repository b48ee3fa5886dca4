"""Every deployer, by name. The command line, the errors and the documentation are made from this table."""

from __future__ import annotations

from bundler.publish.deployers import argocd, flux, helm, helmfile, kustomize, plain

__all__ = ["DEPLOYERS"]

DEPLOYERS = {each.DEPLOYER.name: each.DEPLOYER for each in (plain, kustomize, helm, argocd, flux, helmfile)}
